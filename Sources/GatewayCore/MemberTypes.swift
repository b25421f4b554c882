import DocumentValues

/// Which types the members of a request's JSON object must have.
///
/// A member of another type is refused, never passed over: an administrator who writes `"admin_channels":"north"` would
/// otherwise take every channel from a user, and be answered that all is well. Members that are not listed are not looked at.
package struct MemberTypes: Sendable {
    package enum Kind: String, Sendable {
        case text = "string"
        case flag = "bool"
        case integer = "int"
        /// A whole number that is not negative.
        case count = "uint64"
        case number = "float64"
        case texts = "[]string"
        case object = "map[string]interface {}"
    }

    private let kinds: [Name: Kind]
    /// What is before a member's name in the refusal, as Sync Gateway's clients know it.
    private let owner: String

    package init(_ kinds: [Name: Kind], of owner: String = "") {
        self.kinds = kinds
        self.owner = owner
    }

    /// The refusal; `nil` if all is right. `null` means a member that is not there.
    package func problem(with object: JSONObject) -> String? {
        for member in object {
            guard let kind = kinds[Name(member.key)], let wrong = kind.mismatch(member.value) else { continue }
            return "json: cannot unmarshal \(wrong.found) into Go struct field \(owner).\(member.key) of type "
                + wrong.expected.rawValue
        }
        return nil
    }

    /// - Parameter wrapped: makes the whole reason of it.
    package func check(_ object: JSONObject, wrapped: (String) -> String) throws(GatewayError) {
        if let problem = problem(with: object) { throw GatewayError(400, reason: wrapped(problem)) }
    }
}

extension MemberTypes.Kind {
    fileprivate func mismatch(_ value: JSONValue) -> (found: String, expected: Self)? {
        switch (self, value) {
        case (_, .null), (.text, .string), (.flag, .bool), (.object, .object), (.number, .number): return nil
        case (.integer, .number(let number)) where number.int64 != nil: return nil
        case (.count, .number(let number)) where (number.int64 ?? -1) >= 0: return nil
        case (.texts, .array(let elements)):
            return elements.lazy.compactMap(MemberTypes.Kind.text.mismatch).first
        case (.integer, .number(let number)), (.count, .number(let number)): return ("number \(number.text)", self)
        case (_, .bool): return ("bool", self)
        case (_, .number): return ("number", self)
        case (_, .string): return ("string", self)
        case (_, .array): return ("array", self)
        case (_, .object): return ("object", self)
        }
    }
}
