import DocumentValues
import Testing

@testable import GatewayCore

/// Configurations as administrators of Sync Gateway write them.
@Suite struct BackQuotedTextTests {
    @Test(arguments: [
        ("{\"sync\":`function(doc) {\n\tchannel(\"a\");\r\n}`}", "function(doc) {\n\tchannel(\"a\");\n}"),
        ("{\"sync\": `/\\d+/.test(x)` }", "/\\d+/.test(x)"),
        ("{\"sync\":`a \\` b`}", "a \\` b"),
        ("{\"sync\":``}", ""),
        // Outside of such texts, a back quote is an ordinary character.
        ("{\"sync\":\"a ` b ` \\\" ` c\"}", "a ` b ` \" ` c"),
        ("{\"sync\":\"\\\\\",\"offline\":`x`}", "\\"),
    ])
    func textsAreTakenAsTheyAre(text: String, function: String) throws {
        #expect(try GatewayDatabaseConfiguration.parse(Array(text.utf8))["sync"]?.stringValue == function)
    }

    @Test(arguments: ["{\"sync\":`a}", "{\"sync\":`a\\`}", "`", "{`a``b`:1}"])
    func whatHasNoEndIsRefused(text: String) {
        #expect(throws: GatewayError.self) { try GatewayDatabaseConfiguration.parse(Array(text.utf8)) }
    }
}
