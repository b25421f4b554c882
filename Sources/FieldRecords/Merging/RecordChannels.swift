import DocumentValues

extension JSONObject {
    /// The channels that a record names; an element that is no text is ignored.
    var channels: [Name] { (self["channels"]?.arrayValue ?? []).compactMap { $0.stringValue.map { Name($0) } } }
}
