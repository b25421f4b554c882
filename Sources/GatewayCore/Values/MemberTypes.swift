import DocumentValues

/// The required types of the members of a request's JSON object.
///
/// A member of another type is refused, never ignored: otherwise an administrator who writes `"admin_channels":"north"` would
/// take every channel from a user, and get a success. Members that are not listed are not checked.
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
    /// The prefix of a member's name in the refusal, as in Sync Gateway.
    private let owner: String

    package init(_ kinds: [Name: Kind], of owner: String = "") {
        self.kinds = kinds
        self.owner = owner
    }

    /// The refusal; `nil` if there is none. `null` counts as a missing member.
    package func problem(with object: JSONObject) -> String? {
        for member in object {
            guard let kind = kinds[Name(member.key)], let wrong = kind.mismatch(member.value) else { continue }
            return "json: cannot unmarshal \(wrong.found) into Go struct field \(owner).\(member.key) of type "
                + wrong.expected.rawValue
        }
        return nil
    }

    /// - Parameter refusal: is thrown, made of the problem.
    package func check(_ object: JSONObject, refusal: (String) -> GatewayError) throws(GatewayError) {
        if let problem = problem(with: object) { throw refusal(problem) }
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
