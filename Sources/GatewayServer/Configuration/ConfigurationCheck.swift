import Foundation

/// Tries what a start would try, short of opening ports and databases.
package enum ConfigurationCheck {
    /// - Returns: what an operator should know although it stops nothing.
    package static func run(_ configuration: GatewayConfiguration) throws -> [String] {
        if let tls = configuration.tls { _ = try ServerCertificate(tls) }
        try checkFolder(configuration.storagePath, "storage.path")
        if configuration.logging.isAuditing { try checkFolder(configuration.logging.folder, "logging.log_file_path") }
        var remarks: [String] = []
        if configuration.adminAuthentication, try Administrators.names(storage: configuration.storagePath).isEmpty {
            remarks.append(
                "no administrator has a password yet; 'fieldbook-gateway password' makes one and shows it once")
        }
        if !configuration.adminAuthentication, !isLoopback(configuration.adminInterface.host) {
            remarks.append("the admin port is open to everybody who can reach \(configuration.adminInterface.host)")
        }
        if configuration.tls == nil, !isLoopback(configuration.publicInterface.host) {
            remarks.append("without api.https passwords cross the network as they are; put a TLS proxy before it")
        }
        return remarks
    }

    private static func isLoopback(_ host: String) -> Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// A folder need not be there yet, but then somewhere above it must be one in which it can be made.
    private static func checkFolder(_ path: String, _ key: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        while !files.fileExists(atPath: folder.path, isDirectory: &isFolder), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        guard isFolder.boolValue, files.isWritableFile(atPath: folder.path) else {
            throw ConfigurationError(
                path, "cannot be written (\(key))", hint: "Give \(folder.path) to the account of the gateway")
        }
    }
}
