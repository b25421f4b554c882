import DocumentValues

/// A list or an object as a member of a record, which has none for an empty one.
///
/// `isEmpty ? nil : value` would say it, too, if a JSON value were not itself a literal `nil`, its `null`.
extension [JSONValue] {
    var unlessEmpty: JSONValue? {
        guard !isEmpty else { return nil }
        return .array(self)
    }
}

extension JSONObject {
    var unlessEmpty: JSONValue? {
        guard !isEmpty else { return nil }
        return .object(self)
    }
}
