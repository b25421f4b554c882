import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// Values that are nested deeply, on a thread with little stack: they are refused by `save`, or kept, and end no program.
@Suite struct DeepValueTests {
    /// Half a megabyte, of which debug builds need most.
    private static func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await onStack(of: 512 << 10, body)
    }

    private static func onStack(of size: Int, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Swift.Result(catching: body)) }
            thread.stackSize = size
            thread.start()
        }
    }

    /// Swift takes its own arrays apart by calls inside each other, so what is very deep is kept for ever.
    private static func swiftValue(_ levels: Int, isDictionary: Bool) -> Any {
        var value: Any = 1
        for _ in 0..<levels { value = isDictionary ? ["k": value] : [value] }
        _ = Unmanaged.passRetained(Kept(value))
        return value
    }

    private final class Kept {
        let value: Any

        init(_ value: Any) { self.value = value }
    }

    private static func isRefused(_ document: MutableDocument) throws {
        let folder = try TestFolder()
        let collection = try folder.open().defaultCollection()
        let error = #expect(throws: StoreError.self) { try collection.save(document: document) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.contains("nested more than 1000 levels deep") == true)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1_001, 100_000], [false, true])
    func swiftValuesThatAreTooDeepAreRefused(levels: Int, isDictionary: Bool) async throws {
        try await Self.onSmallStack {
            let value = Self.swiftValue(levels, isDictionary: isDictionary)
            let documents = [
                MutableDocument(id: "a").setValue(value, forKey: "v"),
                MutableDocument(id: "a", data: ["v": value]),
                MutableDocument(id: "a").setArray(MutableArrayObject(data: [value]), forKey: "v"),
                MutableDocument(id: "a").setArray(MutableArrayObject().addValue(value), forKey: "v"),
                MutableDocument(id: "a").setDictionary(MutableDictionaryObject(data: ["v": value]), forKey: "v"),
            ]
            for document in documents {
                try Self.isRefused(document)
                #expect(document == document.toMutable() && document.toJSON().contains("null"))
                #expect(document.toDictionary().count == 1)
                _ = document.hashValue
            }
            let (left, right) = (MutableArrayObject(data: [value]), MutableArrayObject(data: [value]))
            #expect(left == right && left.hashValue == right.hashValue && left.toMutable() == right)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func theDeepestIsKeptAndRead(isDictionary: Bool) async throws {
        try await Self.onSmallStack {
            // The document itself is a level, and the value in the middle none.
            let value = Self.swiftValue(JSONLimits.depth - 1, isDictionary: isDictionary)
            let document = MutableDocument(id: "a").setValue(value, forKey: "v")
            let folder = try TestFolder()
            let collection = try folder.open().defaultCollection()
            try collection.save(document: document)
            let read = try #require(try collection.document(id: "a"))
            #expect(read.toJSON() == document.toJSON() && read.toMutable() == read)
            #expect(read.toDictionary().count == 1)
            var fragment: Fragment = read["v"]
            for _ in 0..<JSONLimits.depth - 1 { fragment = isDictionary ? fragment["k"] : fragment[0] }
            #expect(fragment.int == 1)
        }
    }

    /// Foundation's containers would be taken apart by calls inside each other where they are read as Swift's.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func foundationValuesThatAreTooDeepAreRefused(isDictionary: Bool) async throws {
        try await Self.onSmallStack {
            var value: NSObject = NSNumber(value: 1)
            for _ in 0..<50_000 {
                if isDictionary {
                    let outer = NSMutableDictionary()
                    outer["k"] = value
                    value = outer
                } else {
                    let outer = NSMutableArray()
                    outer.add(value)
                    value = outer
                }
            }
            _ = Unmanaged.passRetained(Kept(value))
            try Self.isRefused(MutableDocument(id: "a").setValue(value, forKey: "v"))
            try Self.isRefused(MutableDocument(id: "a", data: ["v": [value]]))
            try Self.isRefused(MutableDocument(id: "a").setArray(MutableArrayObject(data: [value]), forKey: "v"))
        }
    }

    /// A value that is built object by object can have any depth, and is released.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func longChainsOfObjectsAreRefusedAndReleased(isDictionary: Bool) async throws {
        try await Self.onSmallStack {
            var released = false
            do {
                let origin = ValueOrigin(nil)
                weak var innermost: ArrayNode?
                do {
                    let end = ArrayNode(origin: origin)
                    innermost = end
                    var chain = NodeValue.array(end)
                    for _ in 0..<20_000 {
                        if isDictionary {
                            let node = DictionaryNode(origin: origin)
                            node.replaceAll(with: [("k", chain)])
                            chain = .dictionary(node)
                        } else {
                            let node = ArrayNode(origin: origin)
                            node.replaceAll(with: [chain])
                            chain = .array(node)
                        }
                    }
                    let document = MutableDocument(id: "a")
                    document.node.set(chain, forKey: "v")
                    try Self.isRefused(document)
                    _ = document.toMutable().toDictionary()
                }
                released = innermost == nil
            }
            #expect(released)
        }
    }

    @Test(.timeLimit(.minutes(1))) func textThatIsTooDeepIsRefused() async throws {
        try await Self.onSmallStack {
            let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            #expect(throws: StoreError.self) { try MutableDocument(id: "a", json: "{\"v\":\(deep)}") }
            #expect(throws: StoreError.self) { try MutableArrayObject(json: deep) }
            let document = MutableDocument(id: "a", data: ["v": 1])
            #expect(throws: StoreError.self) { try document.setJSON("{\"v\":\(deep)}") }
            #expect(document.int(forKey: "v") == 1)
        }
    }

    private struct Tower: Decodable {
        let next: [Tower]
    }

    /// The deepest that is read is inside the stack of a thread, and what is deeper is refused before anything is made of it.
    @Test(.timeLimit(.minutes(1)), arguments: [250, 256, 1_000, 100_000]) func deepObjectsAreReadOrRefused(levels: Int)
        async throws
    {
        try await Self.onStack(of: 8 << 20) {
            let json = String(repeating: #"{"next":["#, count: levels) + String(repeating: "]}", count: levels)
            var decoder = DocumentDecoder()
            let tower = Swift.Result { try decoder.decode(Tower.self, from: Array(json.utf8)) }
            #expect(((try? tower.get()) != nil) == (2 * levels <= DocumentDecoder.depth))
        }
    }

    private final class Link: Codable {
        @DocumentID var id: String?
        var next: Link?
        var others: [Link?] = []

        init() {}
    }

    /// Foundation's encoder would go to the end of them.
    @Test(.timeLimit(.minutes(1)), arguments: [1_001, 100_000]) func longChainsOfCodableObjectsAreRefused(levels: Int)
        async throws
    {
        try await Self.onStack(of: 16 << 20) {
            let first = Link()
            // They would be released by calls inside each other.
            _ = Unmanaged.passRetained(first)
            var last = first
            for _ in 0..<levels {
                let next = Link()
                last.next = next
                last = next
            }
            try Self.isRefused(first, at: "/next/next/")
        }
    }

    /// Nothing could read them as objects again.
    @Test(.timeLimit(.minutes(1))) func chainsThatNoDecoderReadsAreRefused() async throws {
        try await Self.onStack(of: 16 << 20) {
            let first = Link()
            _ = Unmanaged.passRetained(first)
            var last = first
            for _ in 0..<StoreLimits.objectDepth {
                let next = Link()
                last.next = next
                last = next
            }
            let folder = try TestFolder()
            let collection = try folder.open().defaultCollection()
            let error = #expect(throws: StoreError.self) { try collection.save(from: first) }
            #expect(error?.message.contains("it has more than 512 levels of values") == true)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func objectsThatReferToThemselvesAreRefused(isInArray: Bool) async throws {
        try await Self.onStack(of: 16 << 20) {
            let link = Link()
            if isInArray { link.others = [nil, link] } else { link.next = link }
            try Self.isRefused(link, at: isInArray ? "/others/1/others/1/" : "/next/next/")
            (link.next, link.others) = (nil, [])
        }
    }

    private static func isRefused(_ object: Link, at path: String) throws {
        let folder = try TestFolder()
        let collection = try folder.open().defaultCollection()
        let ways: [() throws -> Bool] = [
            {
                try collection.save(from: object)
                return true
            },
            { try collection.save(from: object, concurrencyControl: .failOnConflict) },
            { try collection.save(from: object) { _, _ in true } },
        ]
        for save in ways {
            let error = #expect(throws: StoreError.self) { try save() }
            #expect(error?.code == .invalidParameter)
            #expect(error?.message.contains("1000 levels deep, or refers to itself, at \(path)") == true)
        }
    }
}
