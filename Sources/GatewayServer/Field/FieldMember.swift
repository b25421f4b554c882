import DocumentValues

/// A member of a field team: a user with one role, and districts.
package struct FieldMember: Sendable, Hashable {
    package var name: String
    package var role: FieldSchema.Role
    /// By name.
    package var districts: [FieldDistrict] { didSet { districts = Self.sorted(districts) } }
    package var email: String?
    package var isDisabled = false
    /// Roles that are not those of a field team.
    private var otherRoles: [String] = []
    /// Direct channels stay as they are: a role that is made of them would grant more.
    private var direct = DirectChannels(of: [:])

    package init(name: String, role: FieldSchema.Role, districts: [FieldDistrict], email: String? = nil) {
        self.name = name
        self.role = role
        self.districts = Self.sorted(districts)
        self.email = email
    }

    /// - Parameter user: as the admin port shows it. A user without one of our roles has the rights of an inspector.
    init(_ user: JSONObject) {
        let roles = user["admin_roles"]?.texts ?? []
        let ranks = roles.compactMap { FieldSchema.Role(rawValue: $0) }
        self.init(
            name: user["name"]?.stringValue ?? "",
            role: ranks.contains(.office) ? .office : ranks.contains(.supervisor) ? .supervisor : .inspector,
            districts: roles.compactMap { FieldDistrict(key: $0) }, email: user["email"]?.stringValue)
        isDisabled = user["disabled"]?.boolValue ?? false
        otherRoles = roles.filter { FieldSchema.Role(rawValue: $0) == nil && FieldDistrict(key: $0) == nil }
        direct = DirectChannels(of: user)
    }

    /// Why a new user of a field team cannot have this name: names are typed into laptops and read in lists, where these
    /// characters are invisible. `nil` for a valid name.
    package static func problem(withName name: String) -> String? {
        if name.isEmpty { return "A user needs a name" }
        let shown = name.printableLine
        let hidden = name.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
            default: false
            }
        }
        if hidden { return "The name '\(shown)' has invisible characters" }
        let ends = [name.unicodeScalars.first, name.unicodeScalars.last].compactMap(\.self)
        return ends.contains(where: \.properties.isWhitespace) ? "The name '\(shown)' begins or ends with a space" : nil
    }

    private static func sorted(_ districts: [FieldDistrict]) -> [FieldDistrict] {
        Set(districts).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The body for the admin port. Districts are granted by roles.
    var principal: JSONObject {
        let roles = [role.rawValue] + districts.map(\.key) + otherRoles
        let channels = FieldSchema.collections.map { ($0, direct.channels(of: "\(FieldSchema.scope).\($0)")) }
        return [
            "admin_roles": .array(roles.map { .string($0) }), "collection_access": FieldSchema.access(channels),
        ]
    }

    /// Takes districts away.
    ///
    /// - Throws: an `AdminError` that names the first one that the member does not have: a mistyped one would otherwise
    ///   have no effect without a notice.
    package mutating func remove(_ removed: [FieldDistrict]) throws(AdminError) {
        if let unknown = removed.first(where: { !districts.contains($0) }) {
            throw AdminError(
                .refused(409),
                problem: "\(name) does not have the district '\(unknown.name)'"
                    + Suggestion.text(for: unknown.name, among: districts.map(\.name)),
                hint:
                    "Nothing was changed: \(name) is \(summary). To take a direct channel away: user set --remove-channel"
            )
        }
        districts.removeAll(where: removed.contains)
    }

    /// `inspector of harbour, mill`
    package var summary: String {
        let none = role == .office ? "" : " of no district"
        let of = districts.isEmpty ? none : " of \(districts.map(\.name).joined(separator: ", "))"
        let directly = direct.isEmpty ? "" : "; directly: \(direct.phrases.joined(separator: ", "))"
        return role.rawValue + of + directly + (isDisabled ? ", may not sign in" : "")
    }

    /// Whether the role needs districts, and the user has none.
    package var seesNothing: Bool {
        switch role {
        case .inspector, .supervisor: districts.isEmpty && direct.isEmpty
        case .office: false
        }
    }

    /// The districts, and behind a `+` the direct channels: `harbour, mill, + field.sites=district.quay`
    package var reach: String {
        let known = role == .office ? ["all"] : districts.map(\.name)
        return (known + direct.options.map { "+ \($0)" }).joined(separator: ", ")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "name": .string(name), "role": .string(role.rawValue),
            "districts": .array(districts.map { .string($0.name) }), "disabled": .bool(isDisabled),
        ]
        if let email { object["email"] = .string(email) }
        if !direct.isEmpty { object["direct"] = .object(direct.json) }
        return object
    }
}
