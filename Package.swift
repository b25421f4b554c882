// swift-tools-version: 6.1
import PackageDescription

/// Warnings are errors where `FIELDBOOK_STRICT` is set, as it is in CI; a newer compiler's new warning then
/// breaks our build and never that of somebody who depends on us.
let strict = Context.environment["FIELDBOOK_STRICT"] != nil

/// Set by `make fuzz`: our modules report which branches an input takes, and the fuzzer joins the package.
let fuzzing = Context.environment["FIELDBOOK_FUZZ"] != nil
let fuzzingFlags = ["-sanitize=fuzzer", "-parse-as-library", "-O"]

/// Set by `make growth`: our modules count how often each region between two branches is run, and only those tests are
/// built that measure growth.
let counting = Context.environment["FIELDBOOK_GROWTH"] != nil
let countingFlags = ["-profile-generate", "-Xllvm", "-instrprof-atomic-counter-update-all"]
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (strict ? [.unsafeFlags(["-warnings-as-errors"])] : [])
    + (fuzzing ? [.unsafeFlags(fuzzingFlags)] : [])
    + (counting ? [.unsafeFlags(countingFlags)] : [])

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = onlyPrograms("ArgumentParser", "swift-argument-parser")

/// A product that the library does without: a package that depends on this one with `traits: []` does not fetch it.
func onlyPrograms(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Programs"]))
}

let systemLibraries: [Target] = [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CDuktape", providers: [.apt(["duktape-dev"])]),
    .systemLibrary(name: "CEditline", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
]

func floor(
    _ name: String, path: String? = nil, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// One entry a module, floor by floor; `Sources/ARCHITECTURE.md` says what each holds, and a repository test
/// holds the imports against that page.
let modules: [Target] = [
    // Floor 0
    floor("DocumentValues", [crypto]),
    floor("BLIPProtocol", [nioCore, "CZlib"]),
    floor("SodiumCrypto", ["CSodium"]),
    floor(
        "DatabaseMigrations", path: "Migrations", [], resources: [.embedInCode("Store"), .embedInCode("Gateway")]),
    // Floor 1
    floor("SQLiteStorage", ["DatabaseMigrations", grdb]),
    floor("SealedSQLite", ["SodiumCrypto", grdb]),
    floor("FieldModels", path: "Models", ["DocumentValues"]),
    floor("SyncProtocol", ["DocumentValues", "BLIPProtocol", nioCore]),
    floor(
        "BLIPTransport",
        [
            "BLIPProtocol", "DocumentValues", nioCore,
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "X509", package: "swift-certificates"),
            .product(name: "SwiftASN1", package: "swift-asn1"),
            crypto,
        ]),
    floor("AccessControl", ["DocumentValues"]),
    floor("DocumentQuery", ["DocumentValues"]),
    floor("FormLogic", ["DocumentValues", crypto]),
    // Floor 2
    floor(
        "DocumentStore",
        [
            "DocumentValues", "DocumentQuery", "DatabaseMigrations", "SQLiteStorage", "SealedSQLite", "SodiumCrypto",
            grdb,
        ]),
    floor("SyncFunction", ["DocumentValues", "AccessControl", "CDuktape", logging]),
    floor("FormExchange", ["FormLogic", "DocumentValues", "CZip"]),
    floor("FormEntry", ["FormLogic", "DocumentValues"]),
    // Floor 3
    floor("AttachmentVault", ["DocumentStore", "DocumentValues", "SodiumCrypto"]),
    floor(
        "Replication",
        [
            "DocumentStore", "DocumentValues", "SyncProtocol", "BLIPProtocol", "BLIPTransport", nioCore, lifecycle,
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ]),
    floor(
        "GatewayCore",
        [
            "DocumentValues", "AccessControl", "SyncFunction", "SyncProtocol", "SodiumCrypto", "BLIPProtocol",
            "BLIPTransport", "DatabaseMigrations", "SQLiteStorage", grdb, nioCore, lifecycle, logging, crypto,
            .product(name: "NIOHTTP1", package: "swift-nio"), onlyPrograms("JWTKit", "jwt-kit"),
            onlyPrograms("AsyncHTTPClient", "async-http-client"),
        ]),
    // Floor 4
    floor(
        "FieldRecords",
        [
            "FieldModels", "DocumentStore", "AttachmentVault", "Replication", "DocumentValues",
        ]),
    floor(
        "GatewayServer",
        [
            "GatewayCore", "AccessControl", "SyncFunction", "SyncProtocol", "BLIPProtocol", "BLIPTransport",
            "DocumentValues", "SodiumCrypto", "SQLiteStorage", "CZlib", nioCore, lifecycle, logging, crypto,
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
            onlyPrograms("NIOHTTPTypes", "swift-nio-extras"),
            onlyPrograms("NIOHTTPTypesHTTP1", "swift-nio-extras"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            onlyPrograms("HTTPTypes", "swift-http-types"),
            .product(name: "X509", package: "swift-certificates"),
            .product(name: "SwiftASN1", package: "swift-asn1"),
            onlyPrograms("Hummingbird", "hummingbird"),
            onlyPrograms("HummingbirdCore", "hummingbird"),
            onlyPrograms("Yams", "Yams"),
        ], resources: [.embedInCode("Field/field-sync.js")]),
    floor("Fieldbook", ["DocumentStore", "AttachmentVault", "Replication"]),
    // Floor 5
    floor(
        "FieldForms",
        [
            "FieldRecords", "FieldModels", "DocumentStore", "DocumentValues", "FormEntry", "FormLogic", "FormExchange",
            crypto,
        ]),
    floor(
        "FieldSync",
        [
            "FieldRecords", "FieldModels", "DocumentStore", "Replication", "DocumentValues", "SQLiteStorage", lifecycle,
        ]),
    floor("FieldbookClassic", ["Fieldbook", "DocumentStore", "Replication"]),
    // Floor 6
    floor(
        "FieldShell",
        [
            "FieldSync", "FieldForms", "FormEntry", "FormExchange", "FormLogic", "FieldRecords", "FieldModels",
            "DocumentStore", "AttachmentVault", "Replication", "SQLiteStorage", "DocumentValues", "CEditline",
            lifecycle, signals, logging,
        ]),
]

let commands: [Target] = [
    .executableTarget(
        name: "FieldbookCommand",
        dependencies: [
            "FieldShell", "Fieldbook", "FieldRecords", "DocumentValues", arguments, lifecycle, signals, logging,
        ],
        swiftSettings: settings),
    .executableTarget(
        name: "GatewayCommand",
        dependencies: [
            "GatewayServer", "GatewayCore", "SyncFunction", "DocumentValues", arguments, lifecycle, signals, logging,
        ],
        swiftSettings: settings),
]

/// What `make bench` runs: the client in its own process, the gateway as a program beside it.
let benchmarks: Target = .executableTarget(
    name: "FieldbookBench",
    dependencies: [
        "Fieldbook", "DocumentStore", "Replication", "SyncProtocol", "BLIPTransport", "BLIPProtocol", "DocumentValues",
        nioCore, .product(name: "NIOPosix", package: "swift-nio"), grdb,
    ],
    path: "Benchmarks", swiftSettings: settings)

/// What several test targets share; never part of a product.
let testSupport: [Target] = [
    .target(
        name: "TranscriptSupport", dependencies: ["DocumentValues", "BLIPProtocol", nioCore],
        path: "Tests/Support/TranscriptSupport",
        resources: [.copy("Fixtures")], swiftSettings: settings),
    .target(
        name: "WireSupport",
        dependencies: [
            nioCore, .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"), .product(name: "X509", package: "swift-certificates"),
            .product(name: "SwiftASN1", package: "swift-asn1"), crypto,
        ],
        path: "Tests/Support/WireSupport", swiftSettings: settings),
    .target(name: "CityRegister", path: "Tests/Support/CityRegister", swiftSettings: settings),
    .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: settings),
    .target(name: "SmallDisks", path: "Tests/Support/SmallDisks", swiftSettings: settings),
    .target(
        name: "AccessModels", dependencies: ["SeededRandom"], path: "Tests/Support/AccessModels",
        swiftSettings: settings),
    .target(
        name: "SyncModels", dependencies: ["SyncProtocol", "BLIPProtocol", "DocumentValues", nioCore],
        path: "Tests/Support/SyncModels", swiftSettings: settings),
    // Goes before malloc, memcpy and others, to count their calls.
    .target(
        name: "CWorkCount", path: "Tests/Support/CWorkCount", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Goes before SQLite's file system, to fail and to forget.
    .target(
        name: "CFaultyDisk", path: "Tests/Support/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "WorkCount", dependencies: ["CWorkCount"], path: "Tests/Support/WorkCount", swiftSettings: settings,
        linkerSettings: counting ? [.unsafeFlags(["-profile-generate"])] : []),
]

let testTargets: [Target] = [
    tests("DocumentValuesTests", ["DocumentValues", "SeededRandom"]),
    tests("BLIPProtocolTests", ["BLIPProtocol", "TranscriptSupport", "SeededRandom", nioCore]),
    tests("SodiumCryptoTests", ["SodiumCrypto"]),
    tests("SQLiteStorageTests", ["SQLiteStorage", "DatabaseMigrations", grdb]),
    tests("SealedSQLiteTests", ["SealedSQLite", "SodiumCrypto", grdb]),
    tests("FieldModelsTests", ["FieldModels", "DocumentValues"]),
    tests(
        "SyncProtocolTests",
        [
            "SyncProtocol", "BLIPProtocol", "DocumentValues", "TranscriptSupport", "SyncModels", "SeededRandom",
            "WorkCount", nioCore,
        ]),
    tests(
        "BLIPTransportTests",
        [
            "BLIPTransport", "BLIPProtocol", "WireSupport", nioCore,
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"), .product(name: "X509", package: "swift-certificates"),
        ]),
    tests(
        "DocumentQueryTests", ["DocumentQuery", "DocumentStore", "DocumentValues", "SeededRandom"],
        resources: [.copy("Fixtures")]),
    tests(
        "FormLogicTests", ["FormLogic", "DocumentValues", "SeededRandom", "WorkCount"],
        resources: [.copy("Fixtures")]),
    tests(
        "FormExchangeTests",
        ["FormExchange", "FormLogic", "DocumentValues", "SeededRandom", "WorkCount", onlyPrograms("Yams", "Yams")],
        resources: [.copy("Fixtures")]),
    tests(
        "FormEntryTests", ["FormEntry", "FormExchange", "FormLogic", "DocumentValues", "SeededRandom", "WorkCount"]),
    tests("AccessControlTests", ["AccessControl", "DocumentValues", "AccessModels", "SeededRandom", "WorkCount"]),
    tests(
        "DocumentStoreTests",
        [
            "DocumentStore", "DocumentValues", "DatabaseMigrations", "SQLiteStorage", "SealedSQLite", "SodiumCrypto",
            "SeededRandom", "SmallDisks", "WorkCount", grdb,
        ],
        resources: [.copy("Fixtures")]),
    tests("AttachmentVaultTests", ["AttachmentVault", "DocumentStore", "DocumentValues", "SodiumCrypto"]),
    tests("SyncFunctionTests", ["SyncFunction", "GatewayCommand", "DocumentValues", logging]),
    tests(
        "ReplicationTests",
        [
            "Replication", "DocumentStore", "SyncProtocol", "BLIPTransport", "BLIPProtocol", "DocumentValues",
            "SyncModels", "SeededRandom", "WireSupport", grdb, nioCore, lifecycle, logging,
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
        ]),
    tests(
        "GatewayCoreTests",
        [
            "GatewayCore", "AccessControl", "SyncFunction", "SodiumCrypto", "DocumentValues",
            "SyncProtocol", "SQLiteStorage", "AccessModels", "SeededRandom", "SmallDisks", grdb, nioCore, logging,
        ]),
    tests(
        "StoreSimulationTests",
        [
            "Replication", "DocumentStore", "GatewayCore", "SyncFunction", "SyncProtocol", "SyncModels", "BLIPProtocol",
            "DocumentValues", "SodiumCrypto", "SeededRandom", "CFaultyDisk", nioCore, logging,
        ]),
    tests(
        "FieldRecordsTests",
        [
            "FieldRecords", "FieldModels", "AttachmentVault", "DocumentStore", "DocumentValues", "CityRegister",
            "SeededRandom", "WorkCount",
        ]),
    tests(
        "GatewayServerTests",
        [
            "GatewayServer", "GatewayCore", "GatewayCommand", "SQLiteStorage", "SyncFunction", "SyncProtocol",
            "BLIPTransport", "BLIPProtocol", "DocumentValues", "FieldRecords", "FieldModels", "TranscriptSupport",
            "SeededRandom", "WorkCount", nioCore, logging,
            lifecycle,
            crypto,
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            onlyPrograms("HTTPTypes", "swift-http-types"), onlyPrograms("Hummingbird", "hummingbird"),
            onlyPrograms("HummingbirdCore", "hummingbird"),
        ]),
    tests(
        "FieldFormsTests",
        [
            "FieldForms", "FieldRecords", "FieldModels", "FormEntry", "FormExchange", "FormLogic", "AttachmentVault",
            "DocumentStore", "DocumentValues",
        ]),
    tests(
        "FieldSyncTests",
        [
            "FieldSync", "Replication", "FieldRecords", "FieldModels", "AttachmentVault", "DocumentStore",
            "DocumentValues", "SQLiteStorage", "WorkCount",
        ]),
    tests(
        "FieldShellTests",
        [
            "FieldShell", "FieldSync", "FieldForms", "FormExchange", "FormLogic", "FieldRecords", "FieldModels",
            "AttachmentVault", "DocumentStore", "DocumentValues", "Replication", "SQLiteStorage", "WorkCount",
        ]),
    tests(
        "IntegrationTests",
        [
            "FieldbookCommand", "GatewayCommand", "Fieldbook", "DocumentStore", "DocumentValues", "CityRegister",
            "SeededRandom", "WireSupport", nioCore, .product(name: "NIOHTTP1", package: "swift-nio"),
            onlyPrograms("AsyncHTTPClient", "async-http-client"),
        ], resources: [.copy("Fixtures")]),
    tests("PublishedExampleTests", ["Fieldbook", "FieldRecords", "FieldSync"]),
    tests("ClassicExampleTests", ["FieldbookClassic"]),
    tests("RepositoryTests", []),
]

/// Those that measure growth.
let measuringTargets = testTargets.filter { target in
    target.dependencies.contains { if case .byNameItem("WorkCount", _) = $0 { true } else { false } }
}

let fuzzed: [Target.Dependency] = [
    "FormLogic", "FormExchange", "FormEntry", "DocumentQuery", "DocumentValues", "BLIPProtocol", "SyncProtocol",
    "SodiumCrypto", "SealedSQLite",
    "AccessControl", "AttachmentVault",
    "DocumentStore", "SyncFunction", "Replication", "GatewayCore", "GatewayServer", "FieldModels", "FieldRecords",
    "FieldShell", "TranscriptSupport", "SyncModels", "BLIPTransport", nioCore,
    .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOWebSocket", package: "swift-nio"),
]

/// A target for every decoder, in one libFuzzer program for `make fuzz`, and otherwise in a test that feeds each with its
/// seeds and a little damage.
let fuzzers: [Target] =
    fuzzing
    ? [
        .executableTarget(
            name: "FieldbookFuzz", dependencies: fuzzed, path: "Tests/Fuzzing", exclude: ["FuzzTargetTests.swift"],
            swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
    ]
    : [
        .testTarget(
            name: "FuzzingTests", dependencies: fuzzed + ["SeededRandom"], path: "Tests/Fuzzing",
            exclude: ["FuzzerEntry.swift"], swiftSettings: settings)
    ]

let package = Package(
    name: "fieldbook",
    products: [
        .library(name: "Fieldbook", targets: ["Fieldbook"]),
        .library(name: "FieldbookClassic", targets: ["FieldbookClassic"]),
        .executable(name: "fieldbook", targets: ["FieldbookCommand"]),
        .executable(name: "fieldbook-gateway", targets: ["GatewayCommand"]),
        .executable(name: "fieldbook-bench", targets: ["FieldbookBench"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(
            name: "Programs",
            description: "The gateway and the commands, with the web server and the token library that they need"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.29.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.7.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.11.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.1.0"),
    ],
    targets: systemLibraries + modules + commands + [benchmarks] + testSupport
        + (counting ? measuringTargets : testTargets + fuzzers),
    swiftLanguageModes: [.v6]
)
