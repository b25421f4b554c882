/// Where our answers are meant to differ from the recorded ones, and why.
enum KnownDifferences {
    static func reason(_ recording: String, _ number: Int) -> String? { table[recording]?[number] }

    private static let table: [String: [Int: String]] = [
        "rest-02-users": [
            6: "users can be listed whole: there are no views that would stand in the way"
        ],
        "rest-05-documents": [
            53: "a keyspace of four parts is the client's fault: 400, not 500"
        ],
        "rest-14-attachments": [
            29: "data that is not Base64 is the client's fault: 400, not 500"
        ],
        "rest-15-raw-purge": [
            1: raw, 2: raw, 3: raw, 5: raw, 19: compact, 20: compact,
        ],
        "rest-16-config": [
            2: "the configuration is shown as it was given, without what applies by default",
            27: "our start-up configuration has other sections",
            29: "an offline database still knows its last sequence",
            33: resync, 34: resync,
        ],
        "rest-17-bad-requests": [
            21: utf8, 22: utf8,
            30: "a body that is not what it says is the client's fault: 400, not 500",
            33: "compressed answers are streamed",
            35: "design documents do not exist here",
            48: utf8, 53: dots, 54: dots,
            58: "the document of the 48th request is not there: its id is not UTF-8",
            61: "documents nest at most 1,000 levels deep",
            77: "a request of the sync endpoint that is no handshake is answered so (426)",
        ],
    ]

    private static let raw = "what belongs to Couchbase Server's storage is left out of _raw"
    private static let compact = "a compaction begins at another time, and is over sooner"
    private static let resync = "the recorded gateway had no store that it could resync"
    private static let utf8 = "what is not JSON, or not UTF-8, is refused instead of replaced"
    private static let dots = "a path with dots as a component is refused instead of redirected"
}
