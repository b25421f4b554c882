import DocumentValues

/// The names of a document's members on their way to an object: Foundation's decoder takes two for one that are canonically
/// equal.
enum ObjectKeys {
    /// - Throws: `.invalidParameter` where the JSON of a document has two members whose names look alike.
    static func check(_ json: [UInt8], of document: String?) throws {
        // Nearly all names are of ASCII alone.
        guard json.contains(where: { $0 >= 0x80 }) || json.contains(UInt8(ascii: "\\")) else { return }
        var members = LookAlikeMembers(.reading(document: document))
        try members.refuse(in: try JSONValue(parsing: json))
    }
}
