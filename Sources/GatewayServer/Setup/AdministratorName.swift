import DocumentValues

/// The rules for names of administrators.
package enum AdministratorName {
    /// Why a new one cannot have this name; `nil` for a valid name.
    package static func problem(with name: String) -> String? {
        if name.isEmpty { return "An administrator needs a name" }
        // The text before the first colon of a login is the name.
        if name.utf8.contains(UInt8(ascii: ":")) {
            return "The name '\(name.printableLine)' has a colon, so no login by password could carry it"
        }
        return FieldMember.problem(withName: name)
    }

    /// Administrators whose names people may take for this one.
    package static func alike(_ name: String, among known: [String]) -> [String] {
        let shape = NameShape(name)
        return known.filter { !$0.isExactly(name) && NameShape($0) == shape }
    }
}
