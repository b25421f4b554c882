import DocumentValues

extension JSONObject {
    /// The channels that a record names; what is no text names none.
    var channels: [Name] { (self["channels"]?.arrayValue ?? []).compactMap { $0.stringValue.map { Name($0) } } }
}
