import DocumentValues
import SQLiteStorage

extension RawStatement {
    func revision(_ column: Int32) throws -> RevisionID {
        let text = text(column)
        guard let revision = RevisionID(text) else {
            throw StoreError(.corruptData, message: "A stored revision cannot be read.", context: ["revision": text])
        }
        return revision
    }
}
