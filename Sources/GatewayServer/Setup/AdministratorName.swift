import DocumentValues

/// What an administrator may be called.
package enum AdministratorName {
    /// Why a new one cannot be called so; `nil` for a name that can be used.
    package static func problem(with name: String) -> String? {
        if name.isEmpty { return "An administrator needs a name" }
        // What comes before the first colon of a login is the name.
        if name.utf8.contains(UInt8(ascii: ":")) {
            return "The name '\(name.printableLine)' has a colon, so no login by password could carry it"
        }
        return FieldMember.problem(withName: name)
    }

    /// Those whose names people may take for this one.
    package static func alike(_ name: String, among known: [String]) -> [String] {
        let shape = NameShape(name)
        return known.filter { !$0.isExactly(name) && NameShape($0) == shape }
    }
}
