CREATE TABLE boots (
  id INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL
) STRICT;
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  first_entry INTEGER NOT NULL,
  info TEXT NOT NULL,
  ended TEXT,
  adjourned INTEGER NOT NULL,
  chain_before BLOB NOT NULL,
  digest BLOB NOT NULL
) STRICT;
CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  game INTEGER NOT NULL,
  boot INTEGER NOT NULL REFERENCES boots (id),
  at_ns INTEGER NOT NULL,
  raw_ns INTEGER NOT NULL,
  wall_ns INTEGER,
  kind TEXT NOT NULL,
  input TEXT NOT NULL,
  events TEXT NOT NULL,
  command TEXT,
  state TEXT NOT NULL,
  chain BLOB NOT NULL
) STRICT;
CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY,
  boot INTEGER NOT NULL REFERENCES boots (id),
  at_ns INTEGER NOT NULL,
  raw_ns INTEGER NOT NULL,
  wall_ns INTEGER,
  entry INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;
