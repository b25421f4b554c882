/// One decoder and what must hold for every input it is given.
struct FuzzTarget: Sendable {
    let name: String
    /// Well-formed inputs to begin with; the fuzzer changes and mixes them.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Throws where the decoder refuses the input, which is as good as taking it. Only a crash is a find.
    let run: @Sendable ([UInt8]) throws -> Void

    static let all: [FuzzTarget] = [
        formYAML, formWorkbook, formTable, formXML,
        json, identifiers, blipFrames, blipEngine, blipPair, syncMessages, activeSession, passiveSession, checkpoint,
        revisionBodies, delta, storedText, request, sealed, tables, records, conflicts, commandLine, worker,
        network, configuration, token, handshake, operatorLists, cameraTime, query,
        typedAnswer, pointFile, queryJSON, search, decoding, bodies, sealedHead, formExpression, formDefinition,
    ]
}

/// Stops the program, which is how the fuzzer learns of a find.
func check(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds { fatalError(rule()) }
}

/// What the input says; most decoders that take text get it from bytes in this way.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
