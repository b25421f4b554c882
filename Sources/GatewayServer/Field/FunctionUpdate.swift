import DocumentValues
import GatewayCore

/// How sync functions that are not this version's are replaced. Each old one is kept in a file: a function of an earlier
/// version may have changes of the team's own.
package struct FunctionUpdate: Sendable {
    /// The folder for the old functions.
    private let folder: String
    private let replacesOwn: Bool

    /// - Parameter replacesOwn: whether the team's own functions are replaced, too.
    package init(keepingIn folder: String, replacesOwn: Bool) {
        self.folder = folder
        self.replacesOwn = replacesOwn
    }

    func replaces(_ function: String) -> Bool { replacesOwn || !FieldSchema.isOwn(function) }

    /// - Returns: the file; `nil` if there is nothing to keep.
    func keep(_ function: String, of collection: String) throws -> String? {
        guard !function.allSatisfy(\.isWhitespace) else { return nil }
        var number = 1
        while true {
            let path = "\(folder)/\(FieldSchema.scope).\(collection).old-\(number).js"
            guard let present = try FileContent.bytes(path) else {
                try PrivateFile.write(function, to: path, mode: 0o600)
                return path
            }
            // It is already kept, for example after a change that another command made first.
            if present == Array(function.utf8) { return path }
            number += 1
        }
    }
}

extension FieldSchema {
    /// Whether a sync function is the team's own. Those of all our versions begin with the same line.
    static func isOwn(_ function: String) -> Bool {
        let first = syncFunction.split(atByte: "\n", maxSplits: 1).first ?? ""
        return !function.allSatisfy(\.isWhitespace) && !function.hasExactPrefix(String(first))
    }
}
