import Testing

/// The architecture page's table and its invariants, held against the code.
@Suite struct ImportTests {
    @Test func everyModuleImportsWhatTheTableSays() throws {
        for row in try ModuleRow.all() {
            let files = try SourceTree.files(in: row.folder)
            #expect(!files.isEmpty, "\(row.name) has no files in \(row.folder)")
            let allowed = Set(row.own).union(row.outside)
            for file in files {
                let surplus = Set(file.imports).subtracting(allowed)
                #expect(surplus.isEmpty, "\(file.path) imports \(surplus.sorted()), which the table does not allow")
            }
            let stale = allowed.subtracting(files.flatMap(\.imports))
            #expect(stale.isEmpty, "\(row.name) imports no \(stale.sorted()), which the table says it does")
        }
    }

    /// A package that is fetched and built for nobody.
    @Test func everyProductOfAPackageIsImported() throws {
        let manifest = try SourceTree.text(of: "Package.swift")
        let products = Set(manifest.matches(of: /\.product\(name: "([^"]+)"/).map { String($0.1) })
        #expect(products.count > 10, "the manifest names its products as it used to")
        let imported = Set(
            try ["Sources", "Models", "Migrations", "Benchmarks", "Tests"].flatMap { try SourceTree.files(in: $0) }
                .flatMap(\.imports))
        let unused = products.subtracting(imported)
        #expect(unused.isEmpty, "nobody imports \(unused.sorted())")
    }

    @Test func importsGoDown() throws {
        let rows = try ModuleRow.all()
        let floors = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.floor) })
        for row in rows {
            for name in row.own {
                let other = try #require(floors[name], "\(row.name) names the unknown module \(name)")
                #expect(other < row.floor, "\(row.name) on floor \(row.floor) imports \(name) on floor \(other)")
            }
        }
    }

    @Test func everyModuleIsInTheTable() throws {
        let named = Set(try ModuleRow.all().map(\.folder))
        for file in try SourceTree.files(in: "Sources") {
            let folder = file.path.split(separator: "/").prefix(2).joined(separator: "/")
            #expect(named.contains(folder), "\(folder) is missing in Sources/ARCHITECTURE.md")
        }
    }

    /// So that another engine of storage comes in a folder beside the others.
    @Test func theGatewaysSQLLiesInItsEngines() throws {
        let files = try SourceTree.files(in: "Sources/GatewayCore")
        let engines = try EngineFolders.all()
        #expect(files.contains { $0.path.contains("/Storage/SQLite/") && $0.imports.contains("GRDB") })
        for file in files where !engines.contains(where: file.path.hasPrefix) {
            let engine = file.imports.filter { ["GRDB", "SQLiteStorage", "DatabaseMigrations"].contains($0) }
            #expect(engine.isEmpty, "\(file.path) imports \(engine.sorted())")
            #expect(!file.text.contains(/\.db\b/), "\(file.path) reaches for the engine's connection")
        }
    }

    @Test(arguments: [
        ("CSodium", ["SodiumCrypto"]), ("CDuktape", ["SyncFunction"]), ("CEditline", ["FieldShell"]),
        // BLIP's streams are never finished; request bodies are gzip files. The two share nothing but the library.
        ("CZlib", ["BLIPProtocol", "GatewayServer"]),
    ])
    func onlyTheseModulesSee(library: String, modules: [String]) throws {
        for file in try SourceTree.files(in: "Sources") where file.imports.contains(library) {
            let isAllowed = modules.contains { file.path.hasPrefix("Sources/\($0)/") }
            #expect(isAllowed, "\(file.path) imports \(library)")
        }
    }

    @Test func clientAndGatewayShareOnlyTheLowerFloors() throws {
        let client: Set = [
            "DocumentStore", "AttachmentVault", "Replication", "FieldRecords", "FieldSync", "FieldShell", "Fieldbook",
        ]
        let gateway: Set = ["GatewayCore", "GatewayServer", "SyncFunction", "AccessControl"]
        for row in try ModuleRow.all() {
            if client.contains(row.name) { #expect(row.own.isDisjoint(with: gateway), "\(row.name)") }
            if gateway.contains(row.name) { #expect(row.own.isDisjoint(with: client), "\(row.name)") }
        }
    }
}
