import DocumentStore
import DocumentValues

extension Collection {
    /// Deletes a record for all users. The deletion names the record's channels: a gateway that was restored from a backup
    /// may not have the record any more, and without the channels the users who have it would never get its deletion. It
    /// names the creator, too: that gateway does not know whose record it was.
    func deleteRecord(_ document: Document) throws {
        var tombstone = JSONObject()
        for member in ["channels", "createdBy"] { tombstone[member] = document.body[member] }
        try delete(document: document, leaving: tombstone)
    }
}
