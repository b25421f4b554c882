import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Users and roles. What they hold ends with them.
@Suite(.timeLimit(.minutes(1))) struct PrincipalRowTests {
    typealias Rows = (read: any PrincipalRows, write: any PrincipalWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.principals, $0.principals) }

    private static func ann() throws -> StoredPrincipal {
        var ann = StoredPrincipal(key: "ann", sequence: 4)
        ann.channels = [try CollectionName(scope: "s", name: "c"): ["x", "y"]]
        ann.roles = ["r"]
        ann.password = "hash"
        ann.sessionGeneration = 3
        ann.isDisabled = true
        return ann
    }

    @Test(arguments: engines) func oneIsReadAsItWasWritten(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let ann = try Self.ann()
            try await rows.write.put(ann)
            let found = try await rows.read.find("ann")
            #expect(found?.channels == ann.channels && found?.roles == ["r"] && found?.password == "hash")
            #expect(found?.sessionGeneration == 3 && found?.isDisabled == true && found?.sequence == 4)
            #expect(try await rows.read.find("Ann") == nil)
            try await rows.write.put(StoredPrincipal(key: "ann", sequence: 9))
            let replaced = try await rows.read.find("ann")
            #expect(replaced?.sequence == 9 && replaced?.password == nil && replaced?.channels == [:])
            try await rows.write.erase("ann")
            #expect(try await rows.read.find("ann") == nil)
        }
    }

    @Test(arguments: engines) func usersAndRolesAreListedApart(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            var gone = StoredPrincipal(key: "bob", sequence: 5)
            gone.isDeleted = true
            let role = StoredPrincipal(key: StoredPrincipal.roleKey("r"), sequence: 6)
            for principal in [gone, role, try Self.ann(), StoredPrincipal(key: "Zoe", sequence: 7)] {
                try await rows.write.put(principal)
            }
            #expect(try await rows.read.names(roles: false, includingDeleted: false) == ["Zoe", "ann"])
            #expect(try await rows.read.names(roles: false, includingDeleted: true) == ["Zoe", "ann", "bob"])
            #expect(try await rows.read.names(roles: true, includingDeleted: true) == ["r"])
        }
    }
}
