import Testing

/// The folders of the gateway's storage engines: those below `Storage` in which something conforms to `GatewayStore`.
enum EngineFolders {
    static let storage = "Sources/GatewayCore/Storage/"
    private static let conformance = "GatewayStore"

    /// With a slash at the end.
    static func all() throws -> [String] {
        let folders = try SourceTree.files(in: storage).filter { declaresStore($0.text) }.compactMap { file in
            let parts = file.path.dropFirst(storage.count).split(separator: "/")
            return parts.count > 1 ? "\(storage)\(parts[0])/" : nil
        }
        try #require(folders.contains("\(storage)SQLite/"), "the engine that is there is not found")
        return Set(folders).sorted()
    }

    /// Whether a type in the text says that it is a store.
    static func declaresStore(_ text: String) -> Bool {
        SwiftCode(text).lines.contains { line in
            let isDeclaration = line.hasPrefix("extension ") || line.holds(anyOf: ["class ", "actor "])
            guard isDeclaration, let colon = line.firstIndex(of: ":") else { return false }
            let conformances = line[line.index(after: colon)...].split { !$0.isLetter && !$0.isNumber }
            return conformances.contains(Substring(conformance))
        }
    }
}
