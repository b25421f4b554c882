import DocumentValues
import Testing

@testable import GatewayServer

/// What a request asks for outside of a record's body does not get round the rules of the field database.
@Suite(.serialized) struct FieldMetaTests {
    private static let inspections = "/db.field.inspections"
    private static let revision = "2-00000000000000000000000000000002"
    private static let photo = Array("JPEG".utf8)

    private static let approved: JSONObject = [
        "type": "inspection", "status": "approved", "createdBy": "ann", "channels": ["district.harbour"],
        "photos": [["name": "door", "blob": ["digest": .string(BlobDigest(of: photo).text)]]],
    ]

    private static func approved(_ more: JSONObject) -> JSONValue {
        .object(more.reduce(into: approved) { $0[$1.key] = $1.value })
    }

    /// A field database with an inspector, a supervisor and an approved inspection that has a photo.
    private static func run(
        _ body: @escaping @Sendable (TestTeam, _ revision: String) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            let team = TestTeam(of: gateway)
            try team.expect(201, try await team.admin("PUT", "/db/", .object(FieldSchema.configuration)))
            for (name, role) in [("ann", "inspector"), ("ines", "supervisor")] {
                try team.expect(201, try await team.admin("PUT", "/db/_role/\(role)", [:]))
                let access = FieldSchema.access(["district.harbour"])
                let user: JSONValue = [
                    "password": "pass", "admin_roles": [.string(role)], "collection_access": access,
                ]
                try team.expect(201, try await team.admin("PUT", "/db/_user/\(name)", user))
            }
            let attached: JSONValue = ["door": ["data": .string(Base64.encode(photo))]]
            let stored = try await team.admin("PUT", "\(inspections)/a", approved(["_attachments": attached]))
            try team.expect(201, stored)
            try await body(team, try #require(stored.json?["rev"]?.stringValue))
        }
    }

    private static let attached: JSONValue = [
        "stub": true, "revpos": 1, "digest": .string(BlobDigest(of: photo).text), "length": .int(photo.count),
    ]

    private static func stub(_ revision: String) -> JSONObject {
        ["_rev": .string(revision), "_attachments": ["door": attached]]
    }

    private static func expires(_ team: TestTeam, _ id: String = "a") async throws -> Bool {
        let answer = try await team.admin("GET", "\(inspections)/\(id)?show_exp=true")
        try team.expect(200, answer)
        return answer.json?["_exp"] != nil
    }

    /// Laptops would wait for its bytes, and take over neither this revision nor later ones.
    @Test(
        .timeLimit(.minutes(1)), arguments: ["PUT", "_bulk_docs", "new_edits=false"],
        ["x", "sha1-QQQQQQQQQQQQQQQQQQQQQQQQQQA="])
    func anInspectorNamesNoFileThatIsNotThere(way: String, digest: String) async throws {
        try await Self.run { team, revision in
            let forged: JSONValue = ["stub": true, "revpos": 1, "length": 4, "digest": .string(digest)]
            var document = Self.stub(revision).reduce(into: Self.approved) { $0[$1.key] = $1.value }
            document["_attachments"] = ["door": Self.attached, "zz": forged]
            let refused = try await Self.status(of: document, over: revision, way, team)
            document["_attachments"] = ["door": Self.attached]
            let taken = try await Self.status(of: document, over: revision, way, team)
            #expect(refused == 403 && taken == 201)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["PUT", "_bulk_docs", "new_edits=false", "BLIP"])
    func anInspectorLetsNothingExpire(way: String) async throws {
        try await Self.run { team, revision in
            let document = Self.stub(revision).reduce(into: Self.approved) { $0[$1.key] = $1.value }
            let refused = try await Self.status(of: document.merging(["_exp": 2]), over: revision, way, team)
            #expect(refused == 403)
            let expires = try await Self.expires(team)
            #expect(!expires)
            let refusals = try await team.admin("GET", "/db/_refusals")
            #expect(refusals.text.contains("only a supervisor lets records expire"))
            let taken = try await Self.status(of: document, over: revision, way, team)
            #expect(taken == 201)
        }
    }

    /// Sends it in one of the ways in which documents come; 201 where it is taken.
    private static func status(
        of document: JSONObject, over revision: String, _ way: String, _ team: TestTeam
    ) async throws -> Int {
        var document = document
        switch way {
        case "PUT":
            return try await team.user("ann", "PUT", "\(inspections)/a", .object(document), headers: json).status
        case "BLIP":
            document["_rev"] = nil
            let ann = try await HostileSync(team.gateway, user: "ann")
            let answer = try await ann.push("a", Self.revision, history: revision, .object(document))
            return answer.status == 200 ? 201 : answer.status
        default:
            document["_id"] = "a"
            var request: JSONObject = [:]
            if way == "new_edits=false" {
                let digests = [Self.revision, revision].map { JSONValue.string(String($0.dropFirst(2))) }
                document["_rev"] = .string(Self.revision)
                document["_revisions"] = ["start": 2, "ids": .array(digests)]
                request["new_edits"] = false
            }
            request["docs"] = [.object(document)]
            let answer = try await team.user(
                "ann", "POST", "\(inspections)/_bulk_docs", .object(request), headers: json)
            try team.expect(201, answer)
            return Int(answer.json?.arrayValue?.first?["status"]?.integerValue ?? 201)
        }
    }

    private static let json = [("Content-Type", "application/json")]

    @Test(.timeLimit(.minutes(1))) func aSupervisorDoes() async throws {
        try await Self.run { team, revision in
            let ending = Self.approved(Self.stub(revision).merging(["_exp": 3_600]))
            try team.expect(
                201, try await team.user("ines", "PUT", "\(Self.inspections)/a", ending, headers: Self.json))
            #expect(try await Self.expires(team))
        }
    }

    /// The body names the photo as before, but nobody could get it any more.
    @Test(.timeLimit(.minutes(1))) func anInspectorTakesNoPhotoFromAnApproval() async throws {
        try await Self.run { team, revision in
            let bare = Self.approved(["_rev": .string(revision)])
            let refused = try await team.user("ann", "PUT", "\(Self.inspections)/a", bare, headers: Self.json)
            try team.expect(403, refused)
            #expect(refused.text.contains("only a supervisor takes a file from what is approved"))
            let whole = Self.approved(Self.stub(revision).merging(["device": "laptop"]))
            try team.expect(201, try await team.user("ann", "PUT", "\(Self.inspections)/a", whole, headers: Self.json))
        }
    }
}

extension JSONObject {
    fileprivate func merging(_ more: JSONObject) -> JSONObject { more.reduce(into: self) { $0[$1.key] = $1.value } }
}
