import SQLiteStorage

/// Objects of a file that this program has not made.
extension StoreError {
    static func foreignObject(_ object: SchemaObject, path: String) -> StoreError {
        let kind = ["table", "index", "trigger", "view"].first { object.type == $0 } ?? "object"
        return StoreError(
            .corruptData, message: "The database has a \(kind) that this program has not made.",
            context: ["path": path, kind: object.name],
            hint: "Keep a copy of the folder. Remove the \(kind) with the program that made it, restore the folder "
                + "from a backup, or sync into a new one.")
    }

    static func changedObject(_ object: SchemaObject, path: String) -> StoreError {
        StoreError(
            .corruptData, message: "The database has a table or an index that another program has changed.",
            context: ["path": path, object.type: object.name], hint: wayOut)
    }

    static func impossibleIndexName(_ name: String) -> StoreError {
        StoreError(
            .corruptData, message: "The database has an index with a name that no index can have.",
            context: ["index": name], hint: wayOut)
    }

    static func tooManyIndexes(_ path: String) -> StoreError {
        StoreError(
            .corruptData, message: "The database has more than \(StoreLimits.indexes) indexes.",
            context: ["path": path], hint: wayOut)
    }

    /// - Parameter collection: its full name.
    static func impossibleCounters(of collection: String) -> StoreError {
        StoreError(
            .corruptData, message: "The database has counters of a collection that no collection can reach.",
            context: ["collection": collection],
            hint: "Its documents can be read, but nothing is saved in it. " + wayOut)
    }

    private static let wayOut =
        "Keep a copy of the folder, then restore it from a backup or sync into a new one."
}
