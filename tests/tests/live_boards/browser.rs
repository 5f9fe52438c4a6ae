//! Headless Chromium, controlled with the DevTools protocol over two pipes.

use clock_tests::{DEADLINE, Program};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

pub struct Browser {
    calls: File,
    answers: Receiver<Value>,
    session: Value,
    number: u64,
    _program: Program,
    _folder: tempfile::TempDir,
}

impl Browser {
    /// Opens a page.
    pub fn open(address: &str) -> Browser {
        let folder = tempfile::tempdir().unwrap();
        let [calls, answers] = ["calls", "answers"].map(|name| folder.path().join(name));
        let made = Command::new("mkfifo").args([&calls, &answers]).status().unwrap();
        assert!(made.success());
        let log = File::create(folder.path().join("log")).unwrap();
        let mut command = Command::new("sh");
        // Chromium reads calls from descriptor 3 and writes answers to descriptor 4.
        command.args(["-c", r#"exec chromium-headless-shell "$@" 3<"$0/calls" 4>"$0/answers""#]);
        command.arg(folder.path()).args(["--remote-debugging-pipe", "--no-sandbox"]);
        command.args(["--disable-gpu", "--window-size=1280,800"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        let program = Program::start(command.stdin(Stdio::null()).stderr(log)).unwrap();
        // Opening a pipe waits for the program at its other end.
        let calls = File::options().write(true).open(calls).unwrap();
        let answers = read(File::open(answers).unwrap());
        let mut browser = Browser {
            calls,
            answers,
            session: Value::Null,
            number: 0,
            _program: program,
            _folder: folder,
        };
        let target = browser.call("Target.createTarget", &json!({"url": address}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        browser.session = browser.call("Target.attachToTarget", &attach)["sessionId"].clone();
        clock_tests::eventually("the page is loaded", || {
            let loaded = browser.evaluate("document.readyState + typeof boards");
            (loaded == "completeobject").then_some(())
        });
        browser
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let mut call = json!({"id": self.number, "method": method, "params": params});
        if !self.session.is_null() {
            call["sessionId"] = self.session.clone();
        }
        self.calls.write_all(format!("{call}\0").as_bytes()).unwrap();
        loop {
            // The answer to a call has the number of the call. A message without that number is an
            // event.
            let answer = self.answers.recv_timeout(DEADLINE).expect("the browser answers");
            if answer["id"] == self.number {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Returns the value of an expression that the page evaluates.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", &params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Writes a picture of the page.
    pub fn screenshot(&mut self, path: &Path) {
        let data = self.call("Page.captureScreenshot", &json!({"format": "png"}))["data"].clone();
        let mut decoder = Command::new("base64");
        decoder.arg("-d").stdin(Stdio::piped()).stdout(File::create(path).unwrap());
        let mut decoder = decoder.spawn().unwrap();
        decoder.stdin.take().unwrap().write_all(data.as_str().unwrap().as_bytes()).unwrap();
        assert!(decoder.wait().unwrap().success());
    }
}

/// Reads answers, each of which ends with a null byte.
fn read(answers: File) -> Receiver<Value> {
    let (sender, received) = channel();
    thread::spawn(move || {
        for answer in BufReader::new(answers).split(0) {
            let Ok(answer) = answer else { return };
            if sender.send(serde_json::from_slice(&answer).unwrap()).is_err() {
                return;
            }
        }
    });
    received
}
