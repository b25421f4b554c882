import DocumentValues
import Foundation

/// What `~` means in a path that a person typed.
public enum HomeFolder {
    /// `$HOME`, as in the shell that people know; the account's folder where that is no absolute path.
    ///
    /// - Parameter path: one that does not begin with `~` stays as it is.
    public static func expanding(
        _ path: String, home: String? = ProcessInfo.processInfo.environment["HOME"]
    ) -> String {
        let isHome = path.isExactly("~") || path.hasExactPrefix("~/")
        guard isHome, let home, home.hasExactPrefix("/") else {
            return (path as NSString).expandingTildeInPath
        }
        return home + String(decoding: path.utf8.dropFirst(), as: UTF8.self)
    }
}
