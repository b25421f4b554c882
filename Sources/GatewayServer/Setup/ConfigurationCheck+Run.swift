import GatewayCore

extension ConfigurationCheck {
    /// - Returns: warnings for the operator, which do not prevent the start.
    package static func run(_ configuration: GatewayConfiguration) throws -> [String] {
        let certificate = try configuration.tls.map { try ServerCertificate($0) }
        try checkPorts(configuration)
        try checkAdminPort(configuration)
        try checkFolder(configuration.storagePath, key: "storage.path")
        try checkDatabases(configuration.storagePath)
        if configuration.logging.isAuditing {
            try checkFolder(configuration.logging.folder, key: "logging.log_file_path")
        }
        var remarks: [String] = []
        if let remark = certificate?.remarkOnDays { remarks.append(remark) }
        if let text = configuration.remarkOnPassedOver { remarks.append(text) }
        if configuration.adminAuthentication, try Administrators.names(storage: configuration.storagePath).isEmpty {
            remarks.append(
                "no administrator has a password yet; 'fieldbook-gateway password' makes one and shows it once")
        }
        if isAdminPortOpen(configuration) {
            remarks.append(
                "the admin port is open to every machine that can reach \(configuration.adminInterface.host)")
        }
        if configuration.tls == nil, !isLoopback(configuration.publicInterface.host) {
            remarks.append("without api.https passwords cross the network as they are; put a TLS proxy before it")
        }
        return remarks
    }

    private static func checkDatabases(_ storage: String) throws {
        let problems = try StorageCheck.problems(storage: storage)
        guard !problems.isEmpty else { return }
        throw ConfigurationError(
            storage,
            problem: "has databases that cannot be served:\n  " + problems.joined(separator: "\n  ")
                + "\nGive foreign files to the gateway's account; restore damaged ones: fieldbook-gateway restore --replace"
        )
    }
}
