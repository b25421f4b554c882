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

    /// A package that is fetched and built for nothing. `onlyPrograms` and constants are resolved as SwiftPM does.
    @Test(.timeLimit(.minutes(5))) func everyTargetImportsItsProducts() throws {
        let manifest = try PackageManifest()
        let uses = manifest.uses
        try #require(uses.count > 50 && uses.contains { $0.traits == ["Programs"] })
        for (target, products) in Dictionary(grouping: uses, by: \.target) {
            let imported = Set(try SourceTree.files(in: manifest.folder(of: target)).flatMap(\.imports))
            let unused = products.map(\.product).filter { Self.modules(of: $0).isDisjoint(with: imported) }
            #expect(unused.isEmpty, "\(target) declares \(unused), and no file of it imports that")
        }
    }

    private static func modules(of product: String) -> Set<String> {
        product == "GRDB" ? ["GRDB", "GRDBSQLite"] : [product]
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
