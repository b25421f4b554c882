import DocumentValues

/// The output of the commands. Names, reasons and settings come from clients: they must not move the cursor, change the
/// direction of writing, or begin a new line.
enum Output {
    static func line(_ text: String) { print(text.printableLine) }

    static func json(_ object: JSONObject) { print("\(JSONValue.object(object))".printableJSON) }
}
