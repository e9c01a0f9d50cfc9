//! Tests of the file format, one file for each property.

mod common;
mod damage;
mod foreign;
mod hostile;
mod round_trip;
mod tools;
