import GRDB

/// One state of the store for as long as it is read: every row comes from the same commit.
///
/// It offers typed rows by their kind (`reader.principals.find(name:)`). Outside `Storage` nobody writes SQL, so that
/// another engine replaces one folder.
struct StoreReader {
    let db: Database
}
