import Foundation
import Testing

/// `Package.swift` as SwiftPM reads it, without a network.
struct PackageManifest {
    /// A product of another package that a target declares.
    struct Use {
        let target: String
        let product: String
        let package: String
        /// One of these must be enabled; `nil` for a use in any case.
        let traits: [String]?
    }

    let content: [String: Any]

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
        content = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any])
    }

    var targets: [[String: Any]] { content["targets"] as? [[String: Any]] ?? [] }

    var uses: [Use] {
        targets.flatMap { target in
            (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency -> Use? in
                guard let product = dependency["product"] as? [Any], product.count > 3,
                    let name = product[0] as? String, let package = product[1] as? String
                else { return nil }
                return Use(
                    target: target["name"] as? String ?? "", product: name, package: package,
                    traits: (product[3] as? [String: Any])?["traits"] as? [String])
            }
        }
    }

    /// The folder of a target's files, from the project's root.
    func folder(of name: String) -> String {
        let target = targets.first { $0["name"] as? String == name }
        return target?["path"] as? String ?? (target?["type"] as? String == "test" ? "Tests/" : "Sources/") + name
    }
}
