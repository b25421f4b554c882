import Testing

/// Another engine for the gateway's databases comes beside the one that is there, and takes its position in one file: no
/// other code knows an engine.
@Suite struct StorageSeamTests {
    private static let engine = "Sources/GatewayCore/Storage/SQLite/"
    private static let maker = "Sources/GatewayCore/Storage/StorageEngine.swift"

    @Test func oneFileNamesTheEngine() throws {
        let files = try ["Sources/GatewayCore", "Sources/GatewayServer", "Sources/GatewayCommand"]
            .flatMap { try SourceTree.files(in: $0) }
        let engine = files.filter { $0.path.hasPrefix(Self.engine) }
        let types = Set(engine.flatMap { SwiftCode($0.text).lines.compactMap(ModuleFolders.declared) })
        #expect(types.count > 20 && types.contains("SQLiteStore"), "the engine is where it was")
        for file in files where !file.path.hasPrefix(Self.engine) {
            let named = types.intersection(SwiftCode(file.text).lines.flatMap(ModuleFolders.names))
            if file.path == Self.maker {
                #expect(named.contains("SQLiteStore"), "\(Self.maker) makes no store")
            } else {
                #expect(named.isEmpty, "\(file.path) names \(named.sorted()) of the engine")
            }
        }
    }
}
