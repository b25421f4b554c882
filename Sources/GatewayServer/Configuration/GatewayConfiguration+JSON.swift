import DocumentValues
import GatewayCore

extension GatewayConfiguration {
    /// As `GET /_config` shows it. There is no secret in it: keys and passwords are in files of their own.
    var json: JSONObject {
        var console: JSONObject = ["enabled": .bool(logging.level != .none)]
        console["log_level"] = .string(logging.level.rawValue)
        console["format"] = .string(logging.format.rawValue)
        return [
            "api": .object(apiJSON), "replicator": .object(replication.json), "storage": ["path": .string(storagePath)],
            "logging": [
                "log_file_path": .string(logging.folder), "redaction_level": .string(logging.redaction.rawValue),
                "console": .object(console), "audit": ["enabled": .bool(logging.isAuditing)],
            ],
        ]
    }

    private var apiJSON: JSONObject {
        var https = JSONObject()
        if let tls {
            https["tls_minimum_version"] = .string(tls.minimumVersion.rawValue)
            https["tls_cert_path"] = .string(tls.certificatePath)
            https["tls_key_path"] = .string(tls.keyPath)
        }
        var json: JSONObject = [
            "public_interface": .string("\(publicInterface.host):\(publicInterface.port)"),
            "admin_interface": .string("\(adminInterface.host):\(adminInterface.port)"),
            "metrics_interface": .string("\(metricsInterface.host):\(metricsInterface.port)"),
            "admin_interface_authentication": .bool(adminAuthentication),
            "metrics_interface_authentication": .bool(metricsAuthentication), "https": .object(https),
            "cors": .object(crossOrigin.json),
        ]
        if !adminHostNames.isEmpty { json["admin_host_names"] = .array(adminHostNames.map { .string($0) }) }
        if !trustedProxies.isEmpty { json["trusted_proxies"] = .array(trustedProxies.map { .string($0.text) }) }
        if allowsOpenAdmin { json["allow_open_admin_interface"] = true }
        return json
    }
}

extension ReplicationConfiguration {
    fileprivate var json: JSONObject {
        var json = JSONObject()
        if let compressionLevel { json["blip_compression"] = .int(Int(compressionLevel)) }
        if connections > 0 { json["max_concurrent_replications"] = .int(connections) }
        return json
    }
}

extension CrossOriginRules {
    fileprivate var json: JSONObject {
        var json = JSONObject()
        for (name, values) in [("origin", origins), ("login_origin", loginOrigins), ("headers", headers)]
        where !values.isEmpty { json[name] = .array(values.map { .string($0) }) }
        if maxAge > 0 { json["max_age"] = .int(maxAge) }
        return json
    }
}
