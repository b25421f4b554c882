import Crypto
import DocumentValues
import Foundation
import Testing

/// Makes tokens as an issuer would.
struct Issuer {
    let key = P256.Signing.PrivateKey()

    static func url(_ bytes: some Sequence<UInt8>) -> String {
        Base64.encode(Array(bytes)).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }

    var jwk: JSONValue {
        let point = key.publicKey.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "one", "use": "sig",
            "x": .string(Self.url(point.prefix(32))), "y": .string(Self.url(point.suffix(32))),
        ]
    }

    /// Claims that open an account, unless `change` makes them others.
    static func claims(_ change: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "aud": "field", "sub": "ann",
            "exp": .int(Int64(Date().timeIntervalSince1970) + 600),
        ]
        for member in change { claims[member.key] = member.value == .null ? nil : member.value }
        return claims
    }

    func token(_ claims: JSONObject, header: JSONObject = ["alg": "ES256", "kid": "one"]) throws -> String {
        let text = "\(Self.url(header.bytes)).\(Self.url(claims.bytes))"
        return "\(text).\(Self.url(try key.signature(for: Data(text.utf8)).rawRepresentation))"
    }

    func configuration(_ change: JSONObject = [:]) -> JSONValue {
        var object: JSONObject = [
            "issuer": "https://issuer.example", "client_id": "field", "algorithms": ["ES256"], "keys": [jwk],
            "username_claim": "sub", "register": true, "roles_claim": "teams", "channels_claim": "areas",
        ]
        for member in change { object[member.key] = member.value == .null ? nil : member.value }
        return ["local_jwt": ["main": .object(object)]]
    }
}

/// Signing in with tokens of an issuer that the database's configuration names.
@Suite(.serialized) struct TokenTests {
    private let issuer = Issuer()

    private func get(_ path: String, _ token: String, _ gateway: TestGateway) async throws -> RawAnswer {
        try await RawClient.request(
            "GET", path, port: gateway.publicPort, headers: [("Authorization", "Bearer \(token)")])
    }

    private func configured(_ gateway: TestGateway, _ change: JSONObject = [:]) async throws -> TestTeam {
        let team = try await TestTeam(gateway)
        try team.expect(201, try await team.admin("POST", "/db/_config", issuer.configuration(change)))
        return team
    }

    @Test(.timeLimit(.minutes(1))) func aTokenOpensAnAccountAndMakesIt() async throws {
        try await TestGateway.run { gateway in
            let team = try await configured(gateway)
            let token = try issuer.token(Issuer.claims(["email": "ann@field.example"]))
            #expect(try await get("/db/", token, gateway).status == 200)
            let user = try await team.admin("GET", "/db/_user/ann").json
            #expect(user?["email"]?.stringValue == "ann@field.example")
            #expect(user?["jwt_issuer"]?.stringValue == "https://issuer.example")
            // Nobody knows a password of such a user.
            #expect(try await team.user("ann", "GET", "/db/").status == 401)
            let session = try await RawClient.request(
                "POST", "/db/_session", port: gateway.publicPort, headers: [("Authorization", "Bearer \(token)")])
            #expect(session.status == 200)
            #expect(session.header("Set-Cookie") != nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theSessionOfATokenThatIsNotRightIsRefused() async throws {
        try await TestGateway.run { gateway in
            _ = try await configured(gateway)
            let good = try issuer.token(Issuer.claims())
            let answer = try await get("/db/_session", good, gateway)
            #expect(answer.json?["userCtx"]?["name"]?.stringValue == "ann")
            for bad in ["junk", String(good.dropLast(8)), try issuer.token(Issuer.claims(["exp": 1_000]))] {
                #expect(try await get("/db/_session", bad, gateway).status == 401)
            }
            #expect(try await RawClient.request("GET", "/db/_session", port: gateway.publicPort).status == 200)
        }
    }

    /// As Sync Gateway does, so that accounts can be made before, and found.
    @Test(.timeLimit(.minutes(1))) func namesAreEscaped() async throws {
        try await TestGateway.run { gateway in
            let team = try await configured(gateway, ["user_prefix": "pre"])
            for (subject, name) in [
                ("a/b:c,d", "pre_a%2Fb%3Ac%2Cd"), ("role:crew", "pre_role%3Acrew"),
                ("ann@field.example", "pre_ann%40field.example"),
                ("zoë b-c_d.e~f", "pre_zo%C3%AB+b-c_d.e~f"),
            ] {
                let token = try issuer.token(Issuer.claims(["sub": .string(subject)]))
                let answer = try await get("/db/_session", token, gateway)
                #expect(answer.json?["userCtx"]?["name"]?.stringValue == name)
                let path = "/db/_user/" + name.replacing("%", with: "%25").replacing("+", with: "%2B")
                #expect(try await team.admin("GET", path).json?["jwt_issuer"] == "https://issuer.example")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func claimsGrantAndTakeAway() async throws {
        try await TestGateway.run { gateway in
            let team = try await configured(gateway)
            let access: JSONValue = ["field": ["inspections": ["admin_channels": ["east"]]]]
            try team.expect(201, try await team.admin("PUT", "/db/_role/crew", ["collection_access": access]))
            for channel in ["north", "east"] {
                let path = "\(TestTeam.collection)/in-\(channel)"
                try team.expect(201, try await team.admin("PUT", path, ["channels": [.string(channel)]]))
            }
            func sees(_ channel: String, _ change: JSONObject) async throws -> Bool {
                let token = try issuer.token(Issuer.claims(change))
                let status = try await get("\(TestTeam.collection)/in-\(channel)", token, gateway).status
                #expect(status == 200 || status == 403)
                return status == 200
            }
            #expect(try await !sees("north", [:]))
            #expect(try await sees("north", ["areas": ["north", "west"]]))
            #expect(try await sees("north", ["areas": "north"]))
            #expect(try await !sees("east", ["areas": "north"]))
            #expect(try await sees("east", ["teams": ["crew"]]))
            #expect(try await !sees("north", ["teams": ["crew"]]))
            let user = try await team.admin("GET", "/db/_user/ann").json
            #expect(user?["jwt_roles"] == ["crew"])
            #expect(user?["jwt_channels"] == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsNotRightOpensNothing() async throws {
        try await TestGateway.run { gateway in
            let team = try await configured(gateway)
            let now = Int64(Date().timeIntervalSince1970)
            let good = try issuer.token(Issuer.claims())
            let parts = good.split(separator: ".").map(String.init)
            var tokens = [
                "", "x", "a.b.c", String(good.dropLast(4)), "\(parts[0]).\(parts[1]).", good + ".x",
                "\(parts[0]).\(Issuer.url(Issuer.claims(["sub": "bob"]).bytes)).\(parts[2])",
                try Issuer().token(Issuer.claims()), String(repeating: "a", count: 20_000),
                "\(Issuer.url(#"{"alg":"none"}"#.utf8)).\(parts[1]).",
            ]
            let claims: [JSONObject] = [
                ["iss": "https://other.example"], ["iss": nil], ["aud": "other"], ["aud": nil], ["aud": ["a", "b"]],
                ["exp": .int(now - 1)], ["exp": nil], ["exp": "soon"], ["nbf": .int(now + 4_000)], ["sub": nil],
                ["sub": ""], ["sub": "GUEST"], ["sub": "~"], ["sub": .string(String(repeating: "x", count: 1_000))],
                ["teams": 5], ["areas": [5]],
            ]
            for change in claims { tokens.append(try issuer.token(Issuer.claims(change))) }
            let headers: [JSONObject] = [
                ["alg": "HS256", "kid": "one"], ["alg": "ES384", "kid": "one"], ["alg": "ES256", "kid": "two"],
                ["alg": "none"], ["alg": "ES256", "kid": "one", "crit": ["x"]], ["kid": "one"],
            ]
            for header in headers { tokens.append(try issuer.token(Issuer.claims(), header: header)) }
            for token in tokens {
                let answer = try await get("/db/", token, gateway)
                #expect(answer.status == 401, "\(token.prefix(200)): \(answer.status)")
            }
            #expect(try await get("/db/", good, gateway).status == 200)
            try team.expect(200, try await team.admin("PUT", "/db/_user/ann", ["disabled": true]))
            #expect(try await get("/db/", good, gateway).status == 401)
        }
    }

    @Test(.timeLimit(.minutes(1))) func withoutRegisterOnlyThoseWhoAreThereComeIn() async throws {
        try await TestGateway.run { gateway in
            _ = try await configured(gateway, ["register": nil, "client_id": "", "user_prefix": "x"])
            let stranger = try issuer.token(Issuer.claims())
            #expect(try await get("/db/", stranger, gateway).status == 401)
        }
    }

    @Test(.timeLimit(.minutes(1))) func configurationsThatCannotWorkAreRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let key = issuer.jwk.objectValue ?? [:]
            var secret = key
            secret["d"] = "AAAA"
            var broken = key
            broken["x"] = "AAAA"
            let changes: [(JSONObject, String)] = [
                (["issuer": nil], "issuer"), (["client_id": nil], "client_id"), (["algorithms": []], "algorithms"),
                (["algorithms": ["HS256"]], "HS256"), (["keys": []], "keys"), (["keys": [.object(secret)]], "private"),
                (["keys": [.object(broken)]], "cannot be used"), (["keys": [.object(key), .object(key)]], "kid"),
                (["jwks_uri": "https://issuer.example/keys"], "mutually exclusive"),
                (["jwks_uri": "file:///etc/passwd", "keys": nil], "jwks_uri"),
                (["keys": nil], "jwks_uri"), (["colour": "red"], "colour"),
            ]
            for (change, word) in changes {
                let answer = try await team.admin("POST", "/db/_config", issuer.configuration(change))
                #expect(answer.status == 400)
                #expect(answer.text.contains(word), "\(answer.text)")
                #expect(!answer.text.contains("AAAA"))
            }
        }
    }

    /// A token that another program signed.
    @Test(.timeLimit(.minutes(1))) func aForeignRSATokenIsUnderstood() async throws {
        try await TestGateway.run { gateway in
            let key: JSONValue = ["kty": "RSA", "alg": "RS256", "kid": "rsa", "e": "AQAB", "n": .string(Self.modulus)]
            let change: JSONObject = ["algorithms": ["RS256"], "keys": [key], "skip_expiry_check": true]
            let team = try await configured(gateway, change)
            #expect(try await get("/db/", Self.token, gateway).status == 200)
            #expect(try await team.admin("GET", "/db/_user/rsa-user").status == 200)
        }
    }

    private static let modulus =
        "u7QLSCrhrAIHS3imC-LtgommiGhP60_plOhwuvfdZ80j1HNeDVYKh7wRwbdjdnUADDBc1yrQucKfz6D1xeEN-2rAvAHE-"
        + "FGJppfEKMi1ElW_vNXzVD_pW3FsBLxjxVSFYDzh8goDKkywIXdAIF0N2pczc0pLqMSZU7rLo-"
        + "XfJqfOgMAW3rNJh7w7s00f_RUbB0XJDVmf7rSj-rQ1gPV1rjxkjJ4cVTWCWCQ1-"
        + "F42ItriIXZ7i003Nj0gJzKbRboYy7Ln3XJGRj0xHpO6W_BKXMgLAYRkKckDZSzM6fjJmKVZ3sexWyB8m3ntDKV_yNk-"
        + "6Xgy_RFW2a31oAbMXADoQw"
    private static let token =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoicnNhLXV"
        + "zZXIiLCJhdWQiOiJmaWVsZCJ9.icm99c_MBs5bFjPCbJb1ZDBrX3TB7JhHqNC0yCYTlYPfcacEQv1Rqfzwizt-xv4C17E8M5"
        + "G8uNCOJhrad9tw6tQDgvBN6q_zAtfb5N2tTJKNQxCtiA5HOuGg958ls8ITNugNsldEYFErl5L2K4r0oKk0fkzzXnCVXOOGk8"
        + "yhHEcP7t61kO1RBO41HGuW6tQzBgVBxz-eSDLEFe1j3zaJJQc8dhuXC07HaxEJhFq2-HlBIh4jLStr-"
        + "wffNZomSWZCBnWYfni0wXCEfc7PEFAkWGDkJL2hcrixTUGZitM4RY-aOVppnvd2RzaVEVbhk-"
        + "olnqlr2CQwwLObPBEnIQ7KeQ"
}
