import Yams

/// Reads YAML, and JSON with it.
enum YAMLText {
    /// - Parameter file: whose text it is.
    static func load(_ text: String, file: String) throws(ConfigurationError) -> Any? {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw ConfigurationError(file, problem: "is not YAML or JSON: \(error)")
        }
        guard let node else { return nil }
        try check(node, file: file)
        return node.any
    }

    /// Yams stops the program at a mapping whose key is a mapping or a list: `{[a]: b}`.
    private static func check(_ node: Node, file: String) throws(ConfigurationError) {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard key.scalar != nil else {
                    throw ConfigurationError(
                        file, problem: "has a list or a mapping where the name of a setting belongs")
                }
                try check(value, file: file)
            }
        case .sequence(let sequence): for element in sequence { try check(element, file: file) }
        case .scalar, .alias: return
        }
    }
}
