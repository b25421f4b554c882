import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// A member of a field team, as the admin port has them and as the commands change them.
@Suite struct FieldMemberTests {
    private static func user(roles: JSONValue, channels: JSONObject = [:]) -> JSONObject {
        let collections = channels.members.map { member in
            JSONObject.Member(key: member.key, value: ["admin_channels": member.value])
        }
        return [
            "name": "audit", "admin_roles": roles,
            "collection_access": ["field": .object(JSONObject(members: collections))],
        ]
    }

    /// A new password must not make the office of a person who reads one collection, nor give whole districts.
    @Test func whatWasGivenDirectlyStaysAsItIs() {
        let user = Self.user(roles: ["guide"], channels: ["sites": ["*", "district.harbour"], "findings": ["x"]])
        let member = FieldMember(user)
        #expect(member.role == .inspector && member.districts.isEmpty)
        #expect(member.principal["admin_roles"] == ["inspector", "guide"])
        let access = member.principal["collection_access"]?["field"]
        #expect(access?["sites"]?["admin_channels"] == ["*", "district.harbour"])
        #expect(access?["findings"]?["admin_channels"] == ["x"] && access?["forms"]?["admin_channels"] == [])
        #expect(
            member.summary
                == "inspector of no district; directly: everything in field.sites, district.harbour in field.sites, "
                + "x in field.findings")
        #expect(member.reach == "+ field.sites=*,district.harbour, + field.findings=x")
        #expect(member.json["direct"] == ["field.sites": ["*", "district.harbour"], "field.findings": ["x"]])
    }

    /// The list answers who has a district, be it by its role or not.
    @Test func theListShowsDistrictsAndWhatIsBesideThem() {
        let roles: JSONValue = ["district.mill", "district.harbour"]
        let member = FieldMember(Self.user(roles: roles, channels: ["sites": ["district.quay"], "forms": []]))
        #expect(member.reach == "harbour, mill, + field.sites=district.quay")
        #expect(FieldMember(Self.user(roles: roles)).reach == "harbour, mill")
        #expect(FieldMember(Self.user(roles: roles)).json["direct"] == nil)
        #expect(FieldMember(Self.user(roles: ["office"])).reach == "all")
        #expect(FieldMember(Self.user(roles: ["inspector"])).seesNothing && !member.seesNothing)
        #expect(!FieldMember(Self.user(roles: ["office"])).seesNothing)
        #expect(!FieldMember(Self.user(roles: ["inspector"], channels: ["sites": ["x"]])).seesNothing)
    }

    @Test func whoKeepsChannelsOfARoleIsFound() {
        let role = Self.user(roles: [], channels: ["sites": ["district.quay"], "forms": ["district.quay"]])
        let user = Self.user(roles: [], channels: ["sites": ["x", "district.quay"], "findings": ["district.quay"]])
        let kept = DirectChannels(of: user).common(with: DirectChannels(of: role))
        #expect(kept.options == ["field.sites=district.quay"])
        #expect(DirectChannels(of: role).common(with: DirectChannels(of: [:])).isEmpty)
        #expect(DirectChannels(of: ["admin_channels": ["a"]]).options == ["_default._default=a"])
    }

    @Test func districtsAreRoles() throws {
        var member = FieldMember(Self.user(roles: ["supervisor", "district.mill", "district.harbour"]))
        #expect(member.summary == "supervisor of harbour, mill")
        let mill = try #require(FieldDistrict("mill"))
        try member.remove([mill])
        #expect(member.principal["admin_roles"] == ["supervisor", "district.harbour"])
        let error = #expect(throws: AdminError.self) { try member.remove([mill]) }
        #expect(error?.problem == "audit does not have the district 'mill'")
        #expect(FieldMember(Self.user(roles: ["office"])).summary == "office")
    }

    /// A team's database, as far as its configuration and its roles show.
    private static func faults(_ collections: JSONObject, roles: [Name] = []) -> FieldCollections {
        FieldCollections(in: ["scopes": ["field": ["collections": .object(collections)]]], roles: roles)
    }

    /// As after a restore from a backup of before an upgrade.
    @Test func rulesOfAnotherVersionAreNoticed() {
        var collections = FieldSchema.entries(FieldSchema.collections)
        func changed() -> [String] { Self.faults(collections).changed(standard: FieldSchema.syncFunction(of:)) }
        #expect(changed() == [])
        collections["sites"] = ["sync": "function (doc) { channel('x'); }"]
        // That is another fault.
        collections["forms"] = ["sync": " "]
        #expect(changed() == ["sites"])
        for name in ["findings", "inspections", "assignments"] { collections[name] = nil }
        #expect(changed() == [])
    }

    /// A function that is set again keeps the file that it has, and another one takes the next.
    @Test func functionsThatAreReplacedAreKept() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let update = FunctionUpdate(keepingIn: folder.path, replacesOwn: false)
        #expect(update.replaces(FieldSchema.syncFunction(of: "sites")) && update.replaces(" "))
        #expect(!update.replaces("function (doc) {}"))
        #expect(FunctionUpdate(keepingIn: folder.path, replacesOwn: true).replaces("function (doc) {}"))
        let files = try ["a", "b", "a", " "].map { try update.keep($0, of: "sites") }
        #expect(
            files == [
                "\(folder.path)/field.sites.old-1.js", "\(folder.path)/field.sites.old-2.js",
                "\(folder.path)/field.sites.old-1.js", nil,
            ])
    }

    /// Every laptop stops, and nothing else says why.
    @Test func aCollectionThatAFieldDatabaseLacksIsNoticed() {
        var collections = FieldSchema.entries(FieldSchema.collections)
        func missing() -> [String] { Self.faults(collections).missing }
        #expect(missing() == [])
        collections["findings"] = nil
        #expect(missing() == ["findings"])
        for name in ["sites", "forms"] { collections[name] = nil }
        #expect(missing() == [], "two collections of these names make no field team")
        #expect(FieldCollections(in: [:], roles: []).missing == [])
    }

    /// A configuration that was replaced by one of another shape has lost nearly all of it; the roles are still there.
    @Test func aFieldDatabaseIsKnownByItsRoles() {
        let roles = FieldSchema.Role.allCases.map { Name($0.rawValue) }
        #expect(FieldCollections.roles == Set(roles))
        let faults = Self.faults(["sites": [:]], roles: roles + ["district.mill"])
        #expect(faults.missing == ["inspections", "findings", "forms", "assignments"])
        #expect(faults.unguarded == ["sites"])
        let lost = FieldCollections(in: [:], roles: roles)
        #expect(lost.missing + lost.missingLater == FieldCollections.names)
        #expect(lost.missingLater == ["responses"], "laptops sync without it")
        let others = Self.faults(["sites": [:]], roles: ["inspector"])
        #expect(others.missing == [] && others.unguarded == [])
    }

    /// Collections without rules are only a fault where a field team's rules belong.
    @Test func aFieldDatabaseWithoutItsRulesIsNoticed() {
        var collections = FieldSchema.entries(FieldSchema.collections)
        func unguarded() -> [String] { Self.faults(collections).unguarded }
        #expect(unguarded() == [])
        collections["photos"] = [:]
        #expect(unguarded() == [])
        collections["sites"] = [:]
        collections["forms"] = ["sync": " "]
        #expect(unguarded() == ["sites", "forms"])
        collections["findings"] = nil
        #expect(unguarded() == ["sites", "forms"], "whatever else is missing")
    }
}
