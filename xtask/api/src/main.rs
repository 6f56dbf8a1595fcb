//! Public API of the crates that others depend on: each item with its signature, listed from
//! rustdoc's JSON and compared with what was listed before.
//!
//! `opwright-public-api JSON LISTINGS CHANGELOG [--bless]`: the folder with a file of JSON for each
//! crate, the folder with a listing for each crate, and the changelog.
//! Items that are new are listed by `--bless`; those that are gone, or have another signature, have
//! to stand in the changelog first.

mod changelog;
mod listing;

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use changelog::Changelog;
use listing::Listing;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let compared = match args[..] {
        [json, listings, changelog] => compare(json, listings, changelog, false),
        [json, listings, changelog, "--bless"] => compare(json, listings, changelog, true),
        _ => Err("usage: opwright-public-api JSON LISTINGS CHANGELOG [--bless]".into()),
    };
    match compared {
        Ok(mistakes) if mistakes.is_empty() => ExitCode::SUCCESS,
        Ok(mistakes) => {
            eprintln!("{}", mistakes.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What has to be done about each crate that has a listing.
fn compare(
    json: &str,
    listings: &str,
    changelog: &str,
    bless: bool,
) -> Result<Vec<String>, Box<dyn Error>> {
    let changelog = Changelog::read(Path::new(changelog))?;
    let mut mistakes = Vec::new();
    let mut items = 0;
    for listed in Listing::all(Path::new(listings))? {
        let built = Listing::of_json(Path::new(json), &listed.name)?;
        items += built.items.len();
        let gone: Vec<_> = listed.without(&built).filter(|it| !changelog.has(it)).collect();
        mistakes.extend(gone.iter().map(|item| {
            format!("error: `{item}` is gone; say under `### Changed` in CHANGELOG.md what to write instead")
        }));
        if bless && gone.is_empty() {
            built.write(Path::new(listings))?;
        } else if !bless {
            mistakes.extend(built.without(&listed).map(|item| {
                format!("error: `{item}` is not listed; `cargo xtask api --bless` lists it")
            }));
        }
    }
    println!("{items} public items");
    Ok(mistakes)
}
