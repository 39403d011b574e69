// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SilentToken} from "../mocks/Tokens.sol";
import "./Operations.sol";

/// @dev A TOK and a USDC whose transfers answer nothing, as old tokens do: every operation succeeds and leaves exactly
/// what it leaves with tokens that answer.
contract NoReturnTest is Operations {
    SilentToken private silentTok;
    SilentToken private silentUsdc;

    function setUp() public override {
        super.setUp();
        silentTok = new SilentToken();
        silentUsdc = new SilentToken();
        enterMarketOf(address(silentTok), address(silentUsdc));
    }

    function test_everyOperationWorksAsWithATokenThatAnswers() public {
        Operation[] memory operations = readyOperations();
        for (uint256 index = 0; index < operations.length; ++index) {
            bytes32 spoken = digestAfter(operations[index], false);
            assertEq(digestAfter(operations[index], true), spoken, operations[index].name);
        }
    }

    function digestAfter(Operation memory operation, bool silent) private returns (bytes32 digest) {
        uint256 snapshotId = vm.snapshotState();
        silentTok.setSilent(silent);
        silentUsdc.setSilent(silent);
        run(operation);
        assertSolvent();
        digest = marketDigest();
        vm.revertToState(snapshotId);
    }
}
