import DocumentValues
@testable import SyncFunction
import Testing

/// Functions that run without the engine decide as the engine does.
@Suite(.timeLimit(.minutes(1))) struct NativeFunctionTests {
    @Test(arguments: [
        ("function(doc){channel(doc.channels);}", NativeFunction.channelsOfDocument),
        (" function (doc, oldDoc) {\n  channel( doc.channels )\n}\n", .channelsOfDocument),
        ("function(doc,oldDoc,meta){channel(\"sites\");}", .fixed("sites")),
    ])
    func isKnown(text: String, function: NativeFunction) {
        #expect(NativeFunction(SyncFunctionSource(text)) == function)
    }

    @Test(arguments: [
        "function(d){channel(doc.channels);}", "function(doc){channel(doc.channels);channel('x');}",
        "function(doc){channel(\"a,b\");}", "function(doc){channel(\"a b\");}", "function(doc){channel(doc.channel);}",
        "function(doc){if(doc.x)channel(doc.channels);}", "functiondoc){channel(doc.channels);}",
    ])
    func isNotTaken(text: String) { #expect(NativeFunction(SyncFunctionSource(text)) == nil) }

    @Test(arguments: [
        #"{}"#, #"{"channels":null}"#, #"{"channels":"north"}"#, #"{"channels":["a","b","a"]}"#,
        #"{"channels":[1,null,"ok",["x"]]}"#, #"{"channels":["a,b"]}"#, #"{"channels":[""]}"#, #"{"channels":{"a":1}}"#,
        #"{"channels":"x","channels":"y"}"#, #"{"channels":["\ud83d\ude00","😀"]}"#,
        #"{"channels":"\#(String(repeating: "a", count: 513))"}"#,
        #"{"channels":"\#(String(repeating: "a", count: 512))"}"#,
    ])
    func decidesAsTheEngine(document: String) async throws {
        let native = Trial(function: "function(doc){channel(doc.channels);}", document: document)
        let script = Trial(function: "function(doc){var c = doc.channels; channel(c);}", document: document)
        #expect(try await native.outcome() == script.outcome())
    }

    @Test func defaultsOfCollections() async throws {
        let named = try CollectionName(scope: "field", name: "sites")
        #expect(NativeFunction(.standard(for: named)) == .fixed("sites"))
        #expect(NativeFunction(.standard(for: .default)) == .channelsOfDocument)
    }
}
