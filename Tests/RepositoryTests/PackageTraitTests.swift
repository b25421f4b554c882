import Testing

/// What a package fetches that depends on this one and imports `Fieldbook` alone, with `traits: []`: SwiftPM leaves a
/// dependency out where every use of it has a condition that does not hold.
@Suite struct PackageTraitTests {
    private let manifest: PackageManifest

    init() throws { manifest = try PackageManifest() }

    @Test(.timeLimit(.minutes(5))) func theLibraryFetchesNeitherWebServerNorTokenLibrary() throws {
        let traits = try #require(manifest.content["traits"] as? [[String: Any]])
        #expect(Set(traits.compactMap { $0["name"] as? String }) == ["default", "Programs"])
        let fetched = Set(manifest.uses.filter { $0.traits == nil }.map(\.package))
        #expect(
            fetched == [
                "swift-nio", "swift-nio-ssl", "swift-crypto", "swift-certificates", "swift-asn1", "swift-log",
                "swift-service-lifecycle", "GRDB.swift",
            ])
        let programs = Set(manifest.uses.filter { $0.traits == ["Programs"] }.map(\.package))
        #expect(programs.isSuperset(of: ["hummingbird", "jwt-kit", "Yams", "swift-argument-parser"]))
        #expect(programs.isDisjoint(with: fetched))
    }

    @Test(.timeLimit(.minutes(5))) func theLibrarysModulesNeedNoTrait() throws {
        let products = try #require(manifest.content["products"] as? [[String: Any]])
        for name in ["Fieldbook", "FieldbookClassic"] {
            let product = try #require(products.first { $0["name"] as? String == name })
            var rest = product["targets"] as? [String] ?? []
            var closure: Set<String> = []
            while let target = rest.popLast() {
                guard closure.insert(target).inserted else { continue }
                let dependencies = manifest.targets.first { $0["name"] as? String == target }?["dependencies"]
                rest += (dependencies as? [[String: Any]] ?? []).compactMap {
                    ($0["byName"] as? [Any])?.first as? String
                }
            }
            #expect(closure.contains("DocumentStore") && closure.isDisjoint(with: ["GatewayCore", "GatewayServer"]))
            for use in manifest.uses where closure.contains(use.target) && use.traits != nil {
                Issue.record("\(use.target) of \(name) uses \(use.package) in programs only")
            }
        }
    }
}
