//! The scripts of the law files: inputs of `clockctl simulate`, each with what is expected of its
//! answer.

use crate::clauses;
use crate::compare::compare;
use crate::game;
use crate::law_file::{Kind, Script};
use clock_engine::rules::citation;
use clock_engine::text::RuleFile;
use serde_json::{Value, json};

/// One input and what its answer must have.
struct Step<'a> {
    /// The number of the line in the law file.
    line: usize,
    input: &'a str,
    expected: Option<Value>,
}

impl Step<'_> {
    /// The code of the expected error. `None` if the step expects no error.
    fn expected_error(&self) -> Option<&Value> {
        let error = self.expected.as_ref()?.get("error")?;
        (!error.is_null()).then(|| error.get("code").unwrap_or(&Value::Null))
    }

    /// Whether this step expects the input to be refused, or a press to have no effect.
    fn is_refusal(&self) -> bool {
        let events = self.expected.as_ref().and_then(|expected| expected["events"].as_array());
        let mut events = events.into_iter().flatten();
        self.expected_error().is_some() || events.any(|event| event["accepted"] == false)
    }
}

/// Plays a script under these rules. Checks that the expectations of the script fit the kind of the
/// case, that every answer is as expected, and that refused inputs change nothing.
pub fn check(script: &Script, kind: Kind, rules: &RuleFile) -> Result<(), String> {
    let steps = steps(script)?;
    let refusal = |step: &Step| step.is_refusal();
    let last = steps.last().ok_or_else(|| format!("{}: the script is empty", place(script, 0)))?;
    match kind {
        Kind::Refused if !steps.iter().any(refusal) => {
            let message = "the case is `refused`, but its script expects no error and no press \
                           with `\"accepted\": false`";
            return Err(format!("{}: {message}", place(script, 0)));
        }
        Kind::Accepted if last.expected_error().is_some() => {
            let message = "the case is `accepted`, but its last line expects an error";
            return Err(format!("{}: {message}", place(script, 0)));
        }
        Kind::Accepted | Kind::Refused => {}
    }
    let inputs: Vec<&str> = steps.iter().map(|step| step.input).collect();
    let answers = play(script, rules, &inputs)?;
    for (step, answer) in steps.iter().zip(&answers) {
        check_answer(step, answer).map_err(|message| {
            let input = step.input;
            format!(
                "{}: {message}\n  input:  {input}\n  answer: {answer}",
                place(script, step.line)
            )
        })?;
    }
    check_that_refusals_change_nothing(script, rules, &steps, &answers)
}

/// The answers to the inputs of a script under these rules.
pub fn answers(script: &Script, rules: &RuleFile) -> Result<Vec<Value>, String> {
    let inputs: Vec<&str> = steps(script)?.iter().map(|step| step.input).collect();
    play(script, rules, &inputs)
}

fn place(script: &Script, line: usize) -> String {
    format!("{}:{}", script.file, line.max(script.first_line))
}

/// Reads the steps of a script. Blank lines and lines that begin with `#` are skipped.
fn steps(script: &Script) -> Result<Vec<Step<'_>>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, text) in (script.first_line..).zip(script.text.lines().map(str::trim)) {
        let wrong = |message: &str| Err(format!("{}: {message}", place(script, line)));
        if text.starts_with('{') {
            steps.push(Step { line, input: text, expected: None });
        } else if let Some(expected) = text.strip_prefix("=>") {
            let expected: Value = match serde_json::from_str(expected) {
                Ok(value) => value,
                Err(error) => return wrong(&format!("the expectation is no JSON: {error}")),
            };
            match steps.last_mut() {
                _ if !expected.is_object() => return wrong("the expectation is no JSON object"),
                Some(Step { expected: Some(_), .. }) => {
                    return wrong("a second expectation for the same input");
                }
                Some(step) => step.expected = Some(expected),
                None => return wrong("an expectation before the first input"),
            }
        } else if !text.is_empty() && !text.starts_with('#') {
            return wrong("expected an input `{…}`, an expectation `=> {…}` or a comment `# …`");
        }
    }
    Ok(steps)
}

/// Plays these inputs and returns their answers.
fn play(script: &Script, rules: &RuleFile, inputs: &[&str]) -> Result<Vec<Value>, String> {
    let mut game = game::new(&script.game.control, rules).map_err(|error| {
        format!("{}: the game cannot begin: {}", place(script, 0), error.message())
    })?;
    let answer = |(number, input): (u64, &&str)| {
        serde_json::to_value(game.play(number, input.as_bytes())).map_err(|e| e.to_string())
    };
    (1..).zip(inputs).map(answer).collect()
}

fn check_answer(step: &Step, answer: &Value) -> Result<(), String> {
    let error = &answer["error"];
    if step.expected_error().is_none() && !error.is_null() {
        return Err(format!("expected no error, got {error}"));
    }
    if let Some(expected) = &step.expected {
        compare(&with_title(expected), answer)?;
    }
    if error["message"].as_str().is_some_and(|message| message.trim().is_empty()) {
        return Err("the error has no message".to_owned());
    }
    // A refusal without a clause has to be expected.
    let expects_none = expects_no_clause(step);
    let no_clause = |clause: &str| !clauses::is_listed(clause);
    if error["code"] == "refused-by-rules"
        && error["clause"].as_str().map_or(!expects_none, no_clause)
    {
        return Err(format!("the refusal names no article of clauses.toml: {error}"));
    }
    Ok(())
}

/// Whether the expectation says that the error of the answer has no clause.
fn expects_no_clause(step: &Step) -> bool {
    let expected = step.expected.as_ref();
    expected.and_then(|expected| expected.pointer("/error/clause")).is_some_and(Value::is_null)
}

/// The expectation with the title of the source in the clause of its error, as an answer has it.
fn with_title(expected: &Value) -> Value {
    let mut expected = expected.clone();
    if let Some(Value::String(clause)) = expected.pointer_mut("/error/clause") {
        *clause = citation(clause).to_string();
    }
    expected
}

/// Plays the script again with `show` in place of every refused input. Every answer must be the
/// same, apart from the errors: a refused input changes neither the state that the answers show nor
/// the state that they do not show.
fn check_that_refusals_change_nothing(
    script: &Script,
    rules: &RuleFile,
    steps: &[Step],
    answers: &[Value],
) -> Result<(), String> {
    let is_refused = |answer: &Value| !answer["error"].is_null();
    if !answers.iter().any(is_refused) {
        return Ok(());
    }
    let inputs: Vec<String> = steps
        .iter()
        .zip(answers)
        .map(|(step, answer)| match &answer["error"] {
            Value::Null => step.input.to_owned(),
            _ => json!({"at_ns": answer["at_ns"], "event": "show"}).to_string(),
        })
        .collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let without = play(script, rules, &inputs)?;
    let Some((refused, changed)) = first_change(answers, &without) else { return Ok(()) };
    Err(format!(
        "{}: the input refused at line {} changed something\n  with it:    {}\n  without it: {}",
        place(script, steps[changed].line),
        steps[refused].line,
        answers[changed],
        without[changed]
    ))
}

/// Compares the answers of a script with its answers `without` the refused inputs. Finds the first
/// answer that differs, apart from its error. Returns the index of the latest refusal up to that
/// answer, and the index of that answer.
pub fn first_change(answers: &[Value], without: &[Value]) -> Option<(usize, usize)> {
    let mut refused = 0;
    for (index, (answer, without)) in answers.iter().zip(without).enumerate() {
        if !answer["error"].is_null() {
            refused = index;
        }
        let mut answer = answer.clone();
        answer["error"] = Value::Null;
        if answer != *without {
            return Some((refused, index));
        }
    }
    None
}
