import DocumentQuery
import DocumentValues

extension FuzzTarget {
    /// What queries look for in documents by their bytes is what the tree of their JSON has, for documents that are one. The
    /// input is documents, one a line, which one finder is given one after the other.
    static let bodies = FuzzTarget(name: "bodies", seeds: { try bodySeeds() }) { bytes in
        for path in bodyPaths {
            guard let path = QueryPath(parsing: path) else { continue }
            var finder = BodyFinder(path)
            var rows = FirstRows(FirstRowsOrder(path: path, isDescending: false, count: 2, hasMoreTerms: true))
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                Array(line).withUnsafeBufferPointer { body in
                    compare(finder.find(in: body), path: path, in: Array(line))
                    if rows.mayHave(body) { rows.note(body, sequence: 1) }
                }
            }
        }
    }

    private static let bodyPaths = [
        "a", "name", "temperature", "list[1].a", "list[-1]", "a key of 17 bytes", "q\"", "\u{e9}", "",
    ]

    private static func bodySeeds() throws -> [[UInt8]] {
        let texts = [
            #"{"name":"x","temperature":-12.5,"list":[1,{"a":null}]}"#,
            #"{"a key of 17 bytes":{"a":[]},"q\"":true,"a":"\u00e9"}"#,
            #"{"\u00e9":1,"list":["a"],"temperature":123456789012345678}"#,
        ]
        return [Array(texts.joined(separator: "\n").utf8)] + texts.map { Array($0.utf8) }
            + (try Recordings.bodies().prefix(40))
    }

    private static func compare(_ found: UnsafeBufferPointer<UInt8>?, path: QueryPath, in body: [UInt8]) {
        guard let whole = try? JSONValue(parsing: body), whole.objectValue != nil, !isAmbiguous(body) else {
            return
        }
        let ours = found.flatMap { try? JSONValue(parsing: Array($0)) }
        check(ours == value(of: path, in: whole), "another value of \(path.text) is found in \(text(body))")
    }

    /// Of members with one name a tree has the last one; no document that is stored has such.
    private static func isAmbiguous(_ body: [UInt8]) -> Bool {
        (try? JSONTopLevel(scanning: body))?.isAmbiguous ?? true
    }

    private static func value(of path: QueryPath, in whole: JSONValue) -> JSONValue? {
        var value: JSONValue? = whole
        for step in path.steps {
            switch step {
            case .key(let name): value = value?.objectValue?[name.text]
            case .index(let index):
                let elements = value?.arrayValue ?? []
                let position = index < 0 ? elements.count + index : index
                guard elements.indices.contains(position) else { return nil }
                value = elements[position]
            }
        }
        return value
    }
}
