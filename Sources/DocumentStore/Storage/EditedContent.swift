import DocumentValues

/// An edit of a document: its new body, and the form of it from which the new revision's id is computed. Both are written
/// from one tree of values, or taken from one text.
struct EditedContent: Sendable {
    let body: DocumentBody
    let isDeleted: Bool
    /// The body with its members in order, so that equal edits get equal ids. The id of a deletion does not depend on its
    /// content.
    private let canonical: [UInt8]

    init(_ text: ObjectText) {
        body = DocumentBody(written: text)
        isDeleted = false
        canonical = text.canonical
    }

    init(_ object: JSONObject) {
        body = DocumentBody(object)
        isDeleted = false
        canonical = Self.canonical(object)
    }

    /// A deletion.
    init(deletionWith body: DocumentBody) {
        self.body = body
        isDeleted = true
        canonical = []
    }

    /// - Parameter bytes: the JSON of an object, whose spelling is kept.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        body = try DocumentBody(scanned: bytes)
        isDeleted = false
        canonical = Self.canonical(try JSONObject(parsing: bytes))
    }

    init(stored bytes: [UInt8], isDeleted: Bool) throws(JSONError) {
        if isDeleted {
            self.init(deletionWith: try DocumentBody(scanned: bytes))
        } else {
            try self.init(parsing: bytes)
        }
    }

    /// The id of the revision that this content makes as a child of `parent`.
    func revision(over parent: RevisionID?) -> RevisionID {
        RevisionDigest.clientRevision(parent: parent, body: canonical, isDeleted: isDeleted)
    }

    private static func canonical(_ object: JSONObject) -> [UInt8] {
        JSONWriter(sortsKeys: true).bytes(.object(object))
    }
}
