import Foundation
import GatewayCore
@testable import GatewayServer
import Logging
import SyncFunction
import Testing

/// What the start-up configuration comes to, from a file and from the environment.
@Suite struct ConfigurationTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> GatewayConfiguration {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try GatewayConfiguration(file: file.path, environment: environment)
    }

    private static let yaml = """
        api:
          public_interface: ":4984"
          cors:
            origin: ["https://a.example", "https://b.example"]
            login_origin: https://a.example
            headers: [Content-Type, Authorization]
            max_age: 600
        storage: {path: data}
        logging:
          redaction_level: full
          console: {log_level: debug, format: json}
          audit: {enabled: false}
        """

    private static let json = """
        {"api":{"public_interface":":4984","cors":{"origin":["https://a.example","https://b.example"],
        "login_origin":["https://a.example"],"headers":["Content-Type","Authorization"],"max_age":600}},
        "storage":{"path":"data"},"logging":{"redaction_level":"full","console":{"log_level":"debug","format":"json"},
        "audit":{"enabled":false}}}
        """

    @Test func proxiesAreTrustedByAddress() throws {
        let text = "api: {trusted_proxies: [127.0.0.1, 10.1.0.0/16]}\nstorage: {path: data}"
        #expect(try read(text).trustedProxies.map(\.text) == ["127.0.0.1", "10.1.0.0/16"])
        let variable = ["FIELDBOOK_GATEWAY_API_TRUSTED_PROXIES": "::1"]
        #expect(try read(text, variable).trustedProxies.map(\.text) == ["::1"])
        let error = #expect(throws: ConfigurationError.self) {
            try read("api: {trusted_proxies: nginx.internal}\nstorage: {path: data}")
        }
        #expect(error?.description.contains("'api.trusted_proxies': 'nginx.internal' is no address") == true)
    }

    /// The YAML library stops the program at these.
    @Test(arguments: ["{[a]: b}", "storage: {{path: x}: y}", #"{"storage":{"path":"x"},{"api":1}}"#, "- {? [a] : b}"])
    func keysThatAreNoTextsAreRefused(text: String) throws {
        #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(throws: ConfigurationError.self) {
            try read(Self.yaml, ["FIELDBOOK_GATEWAY_API_CORS_MAX_AGE": text])
        }
    }

    @Test(arguments: [yaml, json]) func bothFormsSayTheSame(text: String) throws {
        let configuration = try read(text)
        #expect(configuration.publicInterface == .init(host: "0.0.0.0", port: 4984))
        let rules = CrossOriginRules(
            origins: ["https://a.example", "https://b.example"], loginOrigins: ["https://a.example"],
            headers: ["Content-Type", "Authorization"], maxAge: 600)
        #expect(configuration.crossOrigin == rules)
        #expect(configuration.logging.level == .debug)
        #expect(configuration.logging.format == .json)
        #expect(configuration.logging.redaction == .full)
        #expect(!configuration.logging.isAuditing)
    }

    @Test func theEnvironmentReplacesWhatTheFileSays() throws {
        let configuration = try read(
            Self.yaml,
            [
                "FIELDBOOK_GATEWAY_API_PUBLIC_INTERFACE": "127.0.0.1:5000", "PATH": "/bin",
                "FIELDBOOK_GATEWAY_API_ADMIN_INTERFACE_AUTHENTICATION": "false",
                "FIELDBOOK_GATEWAY_API_CORS_ORIGIN": "[https://c.example]",
                "FIELDBOOK_GATEWAY_API_CORS_MAX_AGE": "5", "FIELDBOOK_GATEWAY_STORAGE_PATH": "/srv/field",
                "FIELDBOOK_GATEWAY_LOGGING_CONSOLE_LOG_LEVEL": "error",
            ])
        #expect(configuration.publicInterface == .init(host: "127.0.0.1", port: 5000))
        #expect(!configuration.adminAuthentication)
        #expect(configuration.crossOrigin.match("https://c.example") == "https://c.example")
        #expect(configuration.crossOrigin.match("https://a.example") == nil)
        #expect(configuration.crossOrigin.maxAge == 5)
        #expect(configuration.storagePath == "/srv/field")
        #expect(configuration.logging.level == .error)
    }

    @Test(arguments: [
        ("FIELDBOOK_GATEWAY_API_PUBLIC_INTERFAC", ":1", "no setting"),
        ("FIELDBOOK_GATEWAY_API_PUBLIC_INTERFACE", "here", "host:port"),
        ("FIELDBOOK_GATEWAY_API_CORS_MAX_AGE", "-1", "number from 0"),
        ("FIELDBOOK_GATEWAY_API_HTTPS_TLS_CERT_PATH", "cert.pem", "tls_key_path"),
        ("FIELDBOOK_GATEWAY_LOGGING_REDACTION_LEVEL", "some", "none, partial, full"),
        ("FIELDBOOK_GATEWAY_LOGGING_CONSOLE_ENABLED", "maybe", "true or false"),
    ])
    func wrongVariablesAreNamed(name: String, value: String, word: String) {
        do {
            _ = try read(Self.yaml, [name: value])
            Issue.record("\(name)=\(value) was accepted")
        } catch {
            #expect("\(error)".contains(word), "\(error)")
        }
    }

    @Test func replicationsAreLimitedAndCompressedAsAsked() throws {
        let storage = "storage: {path: data}\n"
        let cases: [(String, [String: String], Int32?, Int)] = [
            ("", [:], nil, 0), ("replicator: {blip_compression: 0, max_concurrent_replications: 7}", [:], 0, 7),
            ("replicator_compression: 9", [:], 9, 0),
            ("replicator_compression: 9\nreplicator: {blip_compression: 2}", [:], 2, 0),
            ("", ["FIELDBOOK_GATEWAY_REPLICATOR_BLIP_COMPRESSION": "1"], 1, 0),
        ]
        for (text, environment, level, connections) in cases {
            let replication = try read(storage + text, environment).replication
            #expect(replication.compressionLevel == level && replication.connections == connections, "\(text)")
        }
        for text in ["replicator_compression: 10", "replicator: {blip_compression: -1}", "replicator: {x: 1}"] {
            #expect(throws: ConfigurationError.self) { try read(storage + text) }
        }
    }

    /// One that was made for Sync Gateway, and had the storage added.
    @Test func whatConcernsCouchbaseServerIsPassedOverAndNamed() throws {
        let configuration = try read(
            """
            {"bootstrap":{"server":"couchbase://a","username":"u","password":"secret"},"auth":{"bcrypt_cost":10},
            "api":{"public_interface":":4984","max_connections":9,"enable_advanced_auth_dp":false,"https":{}},
            "storage":{"path":"data"},"disable_persistent_config":false,
            "logging":{"console":{"log_level":"warn","log_keys":["*"]},"error":{"enabled":true}}}
            """)
        let keys = [
            "auth", "bootstrap", "disable_persistent_config", "api.enable_advanced_auth_dp", "api.max_connections",
            "logging.error", "logging.console.log_keys",
        ]
        #expect(configuration.passedOver == keys)
        #expect(configuration.logging.level == .warn)
        let remark = try #require(configuration.remarkOnPassedOver)
        #expect(remark.contains("api.max_connections") && !remark.contains("secret"))
        #expect(try read(Self.yaml).remarkOnPassedOver == nil)
        for text in [#"{"bootstrp":{},"storage":{"path":"x"}}"#, #"{"api":{"prety":true},"storage":{"path":"x"}}"#] {
            #expect(throws: ConfigurationError.self) { try read(text) }
        }
    }

    /// What an editor has written in another encoding belongs to no other account.
    @Test func aFolderAndATextThatIsNotUTF8AreNamedForWhatTheyAre() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("latin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("latin.yaml")
        try (Data("storage: {path: data}\n# Geb".utf8) + Data([0xE4]) + Data("ude 3\n".utf8)).write(to: file)
        let latin = #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration(file: file.path, environment: [:])
        }
        #expect(latin?.problem == "is not UTF-8 in line 2" && latin?.hint == "Save it as UTF-8")
        let other = #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration(file: folder.path, environment: [:])
        }
        #expect(other?.problem == "is a folder")
    }

    /// As Couchbase's documentation prints it.
    @Test func functionsInBackQuotesGetTheWayOut() throws {
        let text = """
            {"databases": {"sync_gateway": {"server": "http://localhost:8091", "bucket": "app", "sync": `function(doc) {
              if (doc.type == "x") { channel(doc.channels); }
            }`}}}
            """
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.problem == "'databases' does not belong in the start-up configuration", "\(error as Any)")
        // What is wrong otherwise is said of the file as it is.
        let other = #expect(throws: ConfigurationError.self) { try read("{\"storage\": `a`, ]") }
        #expect(other?.problem.contains("is not YAML or JSON") == true, "\(other as Any)")
    }

    /// Passwords belong in no log.
    @Test func aKeyThatIsThereTwiceIsNamedAndNothingElse() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try read("# a comment\nbootstrap: {password: secret}\nstorage: {path: a}\nstorage: {path: b}")
        }
        #expect(error?.problem == "is not YAML or JSON: 'storage' is there more than once; the first one is in line 3")
    }

    /// Without a login, for other machines: only where that is said.
    @Test(
        arguments: [
            ("127.0.0.1:4985", false, false, true), ("[::1]:4985", false, false, true),
            ("localhost:4985", false, false, true), ("0.0.0.0:4985", true, false, true),
            ("0.0.0.0:4985", false, false, false), (":4985", false, false, false),
            ("10.0.0.1:4985", false, false, false), ("0.0.0.0:4985", false, true, true),
        ])
    func anOpenAdminPortHasToBeSaid(interface: String, login: Bool, isAllowed: Bool, isUsable: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("open-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try read(
            """
            {"api": {"admin_interface": "\(interface)", "admin_interface_authentication": \(login),
            "allow_open_admin_interface": \(isAllowed)}, "storage": {"path": "\(folder.path)"}}
            """)
        if isUsable {
            let remarks = try ConfigurationCheck.run(configuration)
            #expect(remarks.contains { $0.contains("open to every machine") } == isAllowed)
        } else {
            #expect(throws: ConfigurationError.self) { _ = try ConfigurationCheck.run(configuration) }
            await #expect(throws: ConfigurationError.self) {
                let logger = Logger(label: "test")
                _ = try await GatewayServer(
                    configuration: configuration, syncFunctions: SyncFunctionPool(logger: logger), logger: logger)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    /// A full disk, for example: the next run makes everything.
    @Test func anInitThatFailsCanBeRunAgain() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("init-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Where the folder for the databases is to be.
        try Data().write(to: folder.appendingPathComponent("data"))
        let setup = GatewaySetup(folder: folder.path, hosts: [], hasTLS: true)
        #expect(throws: (any Error).self) { try setup.run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["data"])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("data"))
        #expect(try setup.run().certificate != nil)
    }

    /// `/proc` takes no folders, no matter who asks.
    @Test func aFolderThatCannotBeMadeIsNamed() {
        let error = #expect(throws: ConfigurationError.self) {
            try GatewaySetup(folder: "/proc/nope/gateway", hosts: [], hasTLS: true).run()
        }
        #expect(error?.file == "/proc/nope/gateway" && error?.problem.contains("cannot be made") == true)
        #expect(error?.hint?.contains("--folder") == true, "\(error as Any)")
    }

    @Test func theCheckTriesFilesAndFolders() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try GatewaySetup(folder: folder.path, hosts: [], hasTLS: true).run()
        let path = folder.path + "/gateway.yaml"
        #expect(try ConfigurationCheck.run(try GatewayConfiguration(file: path, environment: [:])).isEmpty)
        let open = try ConfigurationCheck.run(
            try GatewayConfiguration(
                file: path,
                environment: [
                    "FIELDBOOK_GATEWAY_STORAGE_PATH": folder.path + "/new/deep",
                    "FIELDBOOK_GATEWAY_API_ADMIN_INTERFACE": "0.0.0.0:4985",
                ]))
        #expect(open.count == 1 && open[0].contains("no administrator"), "\(open)")
        for (variable, value) in [
            ("API_HTTPS_TLS_CERT_PATH", "key.pem"), ("API_HTTPS_TLS_KEY_PATH", "none.pem"),
            ("STORAGE_PATH", path + "/data"), ("LOGGING_LOG_FILE_PATH", path + "/logs"),
            // Which takes no folders, no matter who asks.
            ("STORAGE_PATH", "/proc/data"), ("LOGGING_LOG_FILE_PATH", "/proc/logs"),
            ("API_ADMIN_INTERFACE", "0.0.0.0:4984"), ("API_METRICS_INTERFACE", "127.0.0.1:4984"),
            ("API_METRICS_INTERFACE", "localhost:4984"), ("API_METRICS_INTERFACE", "[::]:4984"),
        ] {
            let configuration = try GatewayConfiguration(
                file: path, environment: [ConfigurationVariable.prefix + variable: value])
            #expect(throws: ConfigurationError.self) { _ = try ConfigurationCheck.run(configuration) }
        }
    }

    /// Each in a line of its own, and what to do in the last one.
    @Test func theCheckNamesDatabasesThatCannotBeServed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("unserved-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/field", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationCheck.run(GatewayConfiguration(storagePath: folder))
        }
        let lines = error.map { "\($0)" }?.split(separator: "\n") ?? []
        #expect(lines.count == 3 && lines[1].contains("field/gateway.sqlite3: is gone"), "\(lines)")
        #expect(lines.last?.hasPrefix("Give foreign files") == true, "\(lines)")
    }

    /// The system's reason, and no advice to give a folder of the system's to the gateway.
    @Test func aFolderThatCannotBeUsedIsNamedWithTheReason() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("folders-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/afile"
        try Data().write(to: URL(fileURLWithPath: file))
        for (path, problem) in [
            (file, "is a file, not a folder"), (file + "/x/y", "cannot be made: \(file) is a file, not a folder"),
        ] {
            let error = #expect(throws: ConfigurationError.self) {
                try ConfigurationCheck.checkFolder(path, key: "storage.path")
            }
            #expect(error?.file == path && error?.problem == problem)
            #expect(error?.hint == "Set storage.path to another folder")
        }
        // Which takes no folders: root is refused by the file system, others by its permissions.
        let other = #expect(throws: ConfigurationError.self) {
            try ConfigurationCheck.checkFolder("/proc/nope", key: "storage.path")
        }
        #expect(
            other?.problem == "cannot be made: No such file or directory (storage.path)"
                || other?.problem == "cannot be made in /proc: Permission denied (storage.path)")
        let start = #expect(throws: ConfigurationError.self) {
            try ConfigurationCheck.makeFolder(file, key: "storage.path")
        }
        #expect(start?.problem == "cannot be made: it is a file, not a folder (storage.path)")
    }

    /// As for an account that is not root, which may run the tests.
    @Test func nobodyIsAdvisedToGiveAwayTheRoot() {
        let missing = ConfigurationCheck.unwritable(
            "/a/data", in: "/", reason: "Permission denied", key: "storage.path")
        #expect(
            "\(missing)"
                == "/a/data: cannot be made in /: Permission denied (storage.path). Make it for the account of "
                + "the gateway, or set storage.path to another folder")
        let present = ConfigurationCheck.unwritable("/a", in: nil, reason: "Permission denied", key: "storage.path")
        #expect(
            "\(present)".hasPrefix("/a: cannot be written: Permission denied (storage.path). Give it to the account"))
    }
}
