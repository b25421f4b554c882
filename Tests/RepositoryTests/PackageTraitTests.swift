import Foundation
import Testing

/// What a package fetches that depends on this one and imports `Fieldbook` alone, with `traits: []`: SwiftPM leaves a
/// dependency out where every use of it has a condition that does not hold. Read from the manifest as SwiftPM does,
/// without a network.
@Suite struct PackageTraitTests {
    private struct Use {
        let target: String
        let package: String
        /// One of these must be enabled; `nil` for a use in any case.
        let traits: [String]?
    }

    private let manifest: [String: Any]

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("manifest.json")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A folder of its own: the tests' may be locked by the process that runs them.
        process.arguments = [
            "swift", "package", "dump-package", "--package-path", SourceTree.root.path, "--scratch-path",
            folder.appendingPathComponent("build").path,
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "FIELDBOOK_FUZZ" }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "swift package dump-package failed")
        manifest = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any])
    }

    private var targets: [[String: Any]] { manifest["targets"] as? [[String: Any]] ?? [] }

    private var uses: [Use] {
        targets.flatMap { target in
            (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency -> Use? in
                guard let product = dependency["product"] as? [Any], product.count > 3,
                    let package = product[1] as? String
                else { return nil }
                return Use(
                    target: target["name"] as? String ?? "", package: package,
                    traits: (product[3] as? [String: Any])?["traits"] as? [String])
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func theLibraryFetchesNeitherWebServerNorTokenLibrary() throws {
        let traits = try #require(manifest["traits"] as? [[String: Any]])
        #expect(Set(traits.compactMap { $0["name"] as? String }) == ["default", "Programs"])
        let fetched = Set(uses.filter { $0.traits == nil }.map(\.package))
        #expect(
            fetched == [
                "swift-nio", "swift-nio-ssl", "swift-crypto", "swift-certificates", "swift-asn1", "swift-log",
                "swift-service-lifecycle", "GRDB.swift",
            ])
        let programs = Set(uses.filter { $0.traits == ["Programs"] }.map(\.package))
        #expect(programs.isSuperset(of: ["hummingbird", "jwt-kit", "Yams", "swift-argument-parser"]))
        #expect(programs.isDisjoint(with: fetched))
    }

    @Test(.timeLimit(.minutes(5))) func theLibrarysModulesNeedNoTrait() throws {
        let products = try #require(manifest["products"] as? [[String: Any]])
        for name in ["Fieldbook", "FieldbookClassic"] {
            let product = try #require(products.first { $0["name"] as? String == name })
            var rest = product["targets"] as? [String] ?? []
            var closure: Set<String> = []
            while let target = rest.popLast() {
                guard closure.insert(target).inserted else { continue }
                let dependencies = targets.first { $0["name"] as? String == target }?["dependencies"]
                rest += (dependencies as? [[String: Any]] ?? []).compactMap {
                    ($0["byName"] as? [Any])?.first as? String
                }
            }
            #expect(closure.contains("DocumentStore") && closure.isDisjoint(with: ["GatewayCore", "GatewayServer"]))
            for use in uses where closure.contains(use.target) && use.traits != nil {
                Issue.record("\(use.target) of \(name) uses \(use.package) in programs only")
            }
        }
    }
}
