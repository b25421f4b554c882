/// The reserved members of a received document, found in one pass over the positions of all members.
package struct ReservedMembers: Sendable {
    package struct Found: Sendable {
        package let member: ReservedMember
        package let name: String
        /// The bytes of its value.
        package let value: Range<Int>
    }

    /// In the order of the document.
    package let found: [Found]
    private let all: JSONTopLevel

    package init(of all: JSONTopLevel) {
        self.all = all
        found = all.members.compactMap { each in
            ReservedMember(each.key).map { Found(member: $0, name: each.key, value: each.value) }
        }
    }

    package var isEmpty: Bool { found.isEmpty }

    package subscript(member: ReservedMember) -> Range<Int>? { found.last { $0.member == member }?.value }

    /// - Parameter bytes: the document in which the members were found.
    package func value(of member: ReservedMember, in bytes: [UInt8]) throws(JSONError) -> JSONValue? {
        guard let range = self[member] else { return nil }
        return try JSONValue(parsing: Array(bytes[range]))
    }

    /// The document without these members; the others keep their bytes.
    package func removing(_ members: Set<ReservedMember>, from bytes: [UInt8]) -> [UInt8] {
        guard found.contains(where: { members.contains($0.member) }) else { return bytes }
        return all.removing(from: bytes) { ReservedMember($0).map(members.contains) ?? false }
    }

    /// The document without any of them.
    package func removing(from bytes: [UInt8]) -> [UInt8] {
        isEmpty ? bytes : all.removing(from: bytes) { ReservedMember($0) != nil }
    }
}
