import DocumentValues

/// A document that a database refused: its user, its id, and the reason.
package struct RefusedDocument: Sendable, Hashable {
    /// Seconds since 1970.
    package var time: Int64
    /// `nil` for the admin port.
    package var user: String?
    /// `scope.collection`
    package var collection: String
    package var document: String
    /// An HTTP status.
    package var status: Int
    /// With the error inside a sync function, which the client does not get.
    package var reason: String

    package init(
        time: Int64, user: String?, collection: String, document: String, status: Int, reason: String
    ) {
        self.time = time
        self.user = user
        self.collection = collection
        self.document = document.prefix(bytes: GatewayLimits.reportedID)
        self.status = status
        self.reason = reason.prefix(bytes: GatewayLimits.refusalReason)
    }

}

extension String {
    /// The longest beginning of at most so many bytes that ends between two characters of Unicode.
    fileprivate func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit - "…".utf8.count)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end]) + "…"
    }
}

/// The form in which refusals are shown and kept.
extension RefusedDocument {
    package var json: JSONObject {
        [
            "at": .string(KeptTime.text(time)), "user": user.map { .string($0) } ?? .null,
            "collection": .string(collection), "document": .string(document), "status": .int(status),
            "reason": .string(reason),
        ]
    }

    /// `nil` for an invalid entry.
    init?(_ json: JSONObject, time: Int64) {
        guard let collection = json["collection"]?.stringValue, let document = json["document"]?.stringValue,
            let reason = json["reason"]?.stringValue
        else { return nil }
        self.init(
            time: time, user: json["user"]?.stringValue, collection: collection, document: document,
            status: Int(json["status"]?.integerValue ?? 403), reason: reason)
    }
}
