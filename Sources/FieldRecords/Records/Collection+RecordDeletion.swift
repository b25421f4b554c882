import DocumentStore
import DocumentValues

extension Collection {
    /// Deletes a record for everybody. The deletion names the record's channels: a gateway that was restored from a backup may
    /// not have the record any more, and without them those who have it would never hear that it is deleted.
    func deleteRecord(_ document: Document) throws {
        var tombstone = JSONObject()
        tombstone["channels"] = document.body["channels"]
        try delete(document: document, leaving: tombstone)
    }
}
