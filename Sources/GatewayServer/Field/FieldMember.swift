import DocumentValues

/// Somebody of a field team: a user with one role, and districts.
package struct FieldMember: Sendable, Hashable {
    package var name: String
    package var role: FieldSchema.Role
    /// By name.
    package var districts: [FieldDistrict] { didSet { districts = Self.sorted(districts) } }
    package var email: String?
    package var isDisabled = false
    /// Roles that are none of ours.
    private var otherRoles: [String] = []
    /// Channels by collection that were given directly and belong to no district.
    private var otherChannels: [Name: [String]] = [:]

    package init(name: String, role: FieldSchema.Role, districts: [FieldDistrict], email: String? = nil) {
        self.name = name
        self.role = role
        self.districts = Self.sorted(districts)
        self.email = email
    }

    /// - Parameter user: as the admin port shows it. Somebody without one of our roles may do what an inspector may.
    init(_ user: JSONObject) {
        let roles = user["admin_roles"]?.texts ?? []
        let own = roles.compactMap { FieldDistrict(key: $0) }
        // Users that were made without the commands may have a district's channel instead of its role.
        let direct = FieldSchema.collections.flatMap { FieldSchema.channels(of: user, in: $0) }
        var ranks = roles.compactMap { FieldSchema.Role(rawValue: $0) }
        if direct.contains("*") { ranks.append(.office) }
        self.init(
            name: user["name"]?.stringValue ?? "",
            role: ranks.contains(.office) ? .office : ranks.contains(.supervisor) ? .supervisor : .inspector,
            districts: own + direct.compactMap { FieldDistrict(key: $0) }, email: user["email"]?.stringValue)
        isDisabled = user["disabled"]?.boolValue ?? false
        otherRoles = roles.filter { FieldSchema.Role(rawValue: $0) == nil && FieldDistrict(key: $0) == nil }
        for collection in FieldSchema.collections {
            otherChannels[Name(collection)] = FieldSchema.channels(of: user, in: collection)
                .filter { !$0.isExactly("*") && FieldDistrict(key: $0) == nil }
        }
    }

    private static func sorted(_ districts: [FieldDistrict]) -> [FieldDistrict] {
        Set(districts).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// What the admin port is sent. The districts come by roles; their channels that were given directly are taken away,
    /// so that a district that is not named is gone. Others stay.
    var principal: JSONObject {
        let roles = [role.rawValue] + districts.map(\.key) + otherRoles
        let channels = FieldSchema.collections.map { ($0, otherChannels[Name($0)] ?? []) }
        return [
            "admin_roles": .array(roles.map { .string($0) }), "collection_access": FieldSchema.access(channels),
        ]
    }

    /// Takes districts away.
    ///
    /// - Throws: an `AdminError` that names the first one that the member does not have: a slip would take nothing away,
    ///   and nobody would notice.
    package mutating func remove(_ removed: [FieldDistrict]) throws(AdminError) {
        if let unknown = removed.first(where: { !districts.contains($0) }) {
            throw AdminError(
                .refused(409),
                problem: "\(name) does not have the district '\(unknown.name)'"
                    + Suggestion.text(for: unknown.name, among: districts.map(\.name)),
                hint: "Nothing was changed: \(name) is \(summary)")
        }
        districts.removeAll(where: removed.contains)
    }

    /// `inspector of harbour, mill`
    package var summary: String {
        let none = role == .office ? "" : " of no district"
        let of = districts.isEmpty ? none : " of \(districts.map(\.name).joined(separator: ", "))"
        return role.rawValue + of + (isDisabled ? ", may not sign in" : "")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "name": .string(name), "role": .string(role.rawValue),
            "districts": .array(districts.map { .string($0.name) }), "disabled": .bool(isDisabled),
        ]
        if let email { object["email"] = .string(email) }
        return object
    }
}
