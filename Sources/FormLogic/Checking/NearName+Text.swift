import DocumentValues

extension NearName {
    package static func nearest(_ name: String, among known: some Sequence<String>) -> String? {
        nearest(to: Name(name), among: known.map { Name($0) })?.text
    }

    /// `Did you mean 'cold_temp'?`
    package static func hint(_ name: String, among known: some Sequence<String>) -> String? {
        nearest(name, among: known).map { "Did you mean '\($0)'?" }
    }
}
