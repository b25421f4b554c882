import DocumentStore
import DocumentValues
import Foundation

extension FuzzTarget {
    /// The decoder of documents: whatever it and `JSONDecoder` both take of a text, they make the same of it. The first byte
    /// says as what it is read.
    static let decoding = FuzzTarget(name: "decoding", seeds: { try decodingSeeds() }) { bytes in
        let text = Array(bytes.dropFirst())
        // Of members with one name, which no document has, they take another one.
        let json = (try? JSONValue(parsing: text, depth: DocumentDecoder.depth).bytes) ?? text
        switch bytes.first.map({ $0 % 6 }) {
        case 0: try compare(DecodedRecord.self, in: json)
        case 1: try compare([String: [Double?]].self, in: json)
        case 2: try compare([DecodedShape].self, in: json)
        case 3: try compare([Int32].self, in: json)
        case 4: try compare([String: Decimal].self, in: json)
        default: try compare(DecodedTree.self, in: json)
        }
    }

    private static func decodingSeeds() throws -> [[UInt8]] {
        let texts = [
            #"0{"name":"a","count":-3,"ratio":0.5,"flag":true,"tags":["x","é"],"small":7,"link":"https://example.org/a"}"#,
            #"0{"data":"AQID","flag":false,"name":"\u00e9\n","count":12e2,"ratio":1e-3,"tags":[],"small":null}"#,
            #"1{"a":[1,null,2.5],"b":[],"c\"":[1e300,-0.0]}"#,
            #"2[{"circle":{"_0":2}},{"box":{"width":1,"height":2}},{"none":{}}]"#,
            "3[1,2.0,-3,4e2,2147483647]", #"4{"a":0.07,"b":123456789.123456789}"#,
            #"5{"value":1,"children":[{"value":"x","children":[]},{"value":null}]}"#,
        ]
        let bodies = try Recordings.bodies().prefix(40)
        return texts.map { Array($0.utf8) } + bodies.map { [UInt8(ascii: "5")] + $0 }
    }

    private static func compare<T: Decodable & Equatable>(_ type: T.Type, in json: [UInt8]) throws {
        let theirs = try? JSONDecoder().decode(type, from: Data(json))
        var decoder = DocumentDecoder()
        let ours = try decoder.decode(type, from: json)
        if let theirs { check(ours == theirs, "\(type) is read differently from \(text(json))") }
    }
}

private struct DecodedRecord: Decodable, Equatable {
    let name: String
    let count: Int
    let ratio: Double
    let flag: Bool
    let tags: [String]
    let small: UInt8?
    let link: URL?
    let data: Data?
}

private enum DecodedShape: Decodable, Equatable {
    case none
    case circle(Double)
    case box(width: Int, height: Int?)
}

/// Reads whatever it is given.
private struct DecodedTree: Decodable, Equatable {
    let value: JSONValue?
    let children: [DecodedTree]?
}
