/// The names that a function of the language has in SQL; the function is the same by each name.
package enum FunctionSpelling {
    /// The ending for a function whose value may be a boolean, where booleans must differ from 1 and 0.
    package static let keptEnding = "_kept"

    /// The name of a function that may fail, in an index: with another name no query uses the index instead of failing.
    package static func indexed(_ name: String) -> String { "fb_\(name)_indexed" }

    /// - Parameter name: in lower case.
    package static func inQueries(_ name: String) -> [String] { ["fb_\(name)", "fb_\(name)\(keptEnding)"] }
}
