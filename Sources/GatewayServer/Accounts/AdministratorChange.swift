import DocumentValues

/// The change of an administrator between two readings of the file.
struct AdministratorChange: Sendable, Hashable {
    enum Kind: String, Sendable { case created, deleted, password }

    let name: Name
    let kind: Kind

    /// By name.
    ///
    /// - Parameters:
    ///   - old: password hashes.
    ///   - new: the present ones.
    static func all(from old: [Name: String], to new: [Name: String]) -> [AdministratorChange] {
        Set(old.keys).union(new.keys).sorted().compactMap { name in
            change(from: old[name], to: new[name]).map { AdministratorChange(name: name, kind: $0) }
        }
    }

    private static func change(from old: String?, to new: String?) -> Kind? {
        switch (old, new) {
        case (nil, nil): nil
        case (nil, _?): .created
        case (_?, nil): .deleted
        case (let old?, let new?): old.isExactly(new) ? nil : .password
        }
    }
}
