import Testing

/// Each engine for the gateway's databases has a folder of its own, and is made in one file: no other code knows an engine, and
/// no engine knows another.
@Suite struct StorageSeamTests {
    private static let maker = "Sources/GatewayCore/Storage/StorageEngine.swift"

    @Test func oneFileNamesTheEngines() throws {
        let files = try ["Sources/GatewayCore", "Sources/GatewayServer", "Sources/GatewayCommand"]
            .flatMap { try SourceTree.files(in: $0) }
        for folder in try EngineFolders.all() {
            let engine = files.filter { $0.path.hasPrefix(folder) }
            let types = Set(engine.flatMap { SwiftCode($0.text).lines.compactMap(ModuleFolders.declared) })
            let stores = Set(
                engine.filter { EngineFolders.declaresStore($0.text) }
                    .flatMap { SwiftCode($0.text).lines.compactMap(ModuleFolders.declared) })
            #expect(!stores.isEmpty, "\(folder) has no store")
            for file in files where !file.path.hasPrefix(folder) {
                let named = types.intersection(SwiftCode(file.text).lines.flatMap(ModuleFolders.names))
                if file.path == Self.maker {
                    #expect(!named.isDisjoint(with: stores), "\(Self.maker) makes no store of \(folder)")
                } else {
                    #expect(named.isEmpty, "\(file.path) names \(named.sorted()) of \(folder)")
                }
            }
        }
    }

    @Test(arguments: [
        "final class OtherStore: GatewayStore {", "final class OtherStore: Sendable, GatewayStore {",
        "extension OtherStore: GatewayStore {",
    ])
    func anEngineIsFoundByItsStore(code: String) { #expect(EngineFolders.declaresStore(code)) }

    @Test(arguments: [
        "protocol GatewayStore: AnyObject, Sendable {", "let store: any GatewayStore", "extension GatewayStore {",
        "/// class OtherStore: GatewayStore", "struct Parts: Sendable { let store: any GatewayStore }",
    ])
    func codeThatUsesAStoreIsNoEngine(code: String) { #expect(!EngineFolders.declaresStore(code)) }
}
