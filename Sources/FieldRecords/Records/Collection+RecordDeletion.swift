import DocumentStore
import DocumentValues

extension Collection {
    /// Deletes a record for everybody. The deletion names the record's channels: a gateway that was restored from a backup may
    /// not have the record any more, and without them those who have it would never hear that it is deleted. It names the
    /// creator, too: that gateway cannot know whose record it was, and those who have it do.
    func deleteRecord(_ document: Document) throws {
        var tombstone = JSONObject()
        for member in ["channels", "createdBy"] { tombstone[member] = document.body[member] }
        try delete(document: document, leaving: tombstone)
    }
}
