/// The names that a function of the language has in SQL, where its values are the same by each.
package enum FunctionSpelling {
    /// Of a function whose value may be a boolean, where a boolean is another value than 1 and 0.
    package static let keptEnding = "_kept"

    /// Of a function that may fail, in an index: no query looks into the index instead of failing.
    package static func indexed(_ name: String) -> String { "fb_\(name)_indexed" }

    /// - Parameter name: in lower case.
    package static func inQueries(_ name: String) -> [String] { ["fb_\(name)", "fb_\(name)\(keptEnding)"] }
}
