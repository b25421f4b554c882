import Testing

/// Names are bytes: Swift's `String` takes "é" in one code point for "é" in two, and the Kelvin sign for "K". So sets and
/// dictionaries of channels, principals, ids and members are keyed by `Name`.
@Suite struct NameRuleTests {
    /// The modules that decide who sees what, and what goes over the wire.
    private static let modules = [
        "AccessControl", "DocumentValues", "SyncProtocol", "SyncFunction", "GatewayCore", "GatewayServer",
    ]

    /// Where texts are keys that are no names. Constants in ASCII without `K`, `;` and a back quote look like nothing else.
    private static let exceptions: [String: String] = [
        "Sources/SyncProtocol/Passive/PushedBody.swift": "constants: reserved members",
        "Sources/SyncFunction/RejectionCause.swift": "constants: reasons",
        "Sources/GatewayCore/Documents/IncomingDocument.swift": "constants: reserved members",
        "Sources/GatewayCore/Database/CrossOriginRules.swift": "constants: members of the configuration",
        "Sources/GatewayCore/Database/ConfigurationMembers.swift": "constants: members of the configuration",
        "Sources/GatewayCore/Database/DeltaSyncConfiguration.swift": "constants: members of the configuration",
        "Sources/GatewayCore/MemberTypes.swift": "constants: members and their types",
        "Sources/GatewayCore/Tokens/TokenIssuer.swift": "constants: algorithms and members of the configuration",
        "Sources/GatewayCore/Tokens/TokenKey.swift": "constants: algorithms",
        "Sources/GatewayCore/Principals/PrincipalRequest.swift": "constants: members of a request",
        "Sources/GatewayCore/Principals/CheckOrder.swift": "addresses of clients, as the system writes them",
        "Sources/GatewayServer/Server/SyncConnections.swift": "databases, whose names are ASCII in lower case",
        "Sources/GatewayServer/Server/FeedSocket.swift": "names of query parameters",
        "Sources/GatewayServer/Routes/DocumentJSON.swift":
            "revision ids, which are ASCII, looked for among the document's",
        "Sources/GatewayServer/Routes/SessionRoutes.swift": "constants: members of a request",
        "Sources/GatewayServer/Routes/ChangesRoutes.swift": "names of query parameters",
        "Sources/GatewayServer/Routes/OperationRoutes.swift": "scopes, whose names are ASCII",
        "Sources/GatewayServer/Configuration/": "the operator's own file and environment",
        "Sources/GatewayServer/Logs/Redaction.swift": "constants: keys of the log",
        "Sources/GatewayServer/HTTP/GatewayMetrics.swift": "databases and routes, whose names are ASCII",
        "Sources/GatewayServer/HTTP/Route.swift": "constants: routes",
        "Sources/GatewayServer/HTTP/GatewayRequest.swift": "names of query parameters",
    ]

    @Test(arguments: modules) func namesAreNoKeysAsStrings(module: String) throws {
        for file in try SourceTree.files(in: "Sources/\(module)") {
            guard !Self.exceptions.keys.contains(where: { file.path.hasPrefix($0) }) else { continue }
            for (index, line) in file.lines.enumerated() where !line.contains("//") {
                let isKeyed = line.contains(/Set<String>|\[String\s*:/)
                #expect(
                    !isKeyed,
                    "\(file.path):\(index + 1): use Name, or add the file with the reason why these are no names")
            }
        }
    }

    /// An exception that is not needed any more goes, so that the list stays true.
    @Test func everyExceptionIsNeeded() throws {
        let files = try Self.modules.flatMap { try SourceTree.files(in: "Sources/\($0)") }
        for path in Self.exceptions.keys {
            let isNeeded = files.contains { $0.path.hasPrefix(path) && $0.text.contains(/Set<String>|\[String\s*:/) }
            #expect(isNeeded, "\(path)")
        }
    }
}
