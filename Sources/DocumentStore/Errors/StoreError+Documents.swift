import DocumentValues

extension StoreError {
    /// The error of one stored document that cannot be read: the row or the body is damaged. The documents beside it are not
    /// concerned.
    ///
    /// - Throws: `error` itself if it is not about one document: SQLite reports damaged pages, a full disk or a lock, which
    ///   concern the whole database.
    static func unreadable(_ documentID: String, because error: any Error) throws -> StoreError {
        switch error {
        case let error as StoreError where error.code == .corruptData:
            StoreError(
                .corruptData, message: error.message,
                context: error.context.merging(["document": documentID]) { $1 }, hint: error.hint, underlying: error)
        case let error as JSONError:
            StoreError(
                .corruptData, message: "A stored document cannot be read: \(error).",
                context: ["document": documentID], underlying: error)
        default: throw error
        }
    }
}
